"""How an Indonesian text addresses its hearer: Anda, a kin term or title, kamu, or lu.

A kin term (Bapak, Ibu, Mbak, Mas, Kak …) is address only where it stands for "you": as a vocative beside
a comma or at the end (also with a name: "Pak Hadi, …"), as the subject of a question or request, as a capitalised possessor, after a
preposition. It is not where it is possessed ("ibu saya"), counted or pointed at ("seorang ibu", "ibu
itu"), followed by a name ("Pak Budi", who may be spoken of), or part of a compound ("ibu kota", "ibu
jari", "mas kawin"). Capitals follow the official spelling (EYD V, 2022, I.A.10: terms of address take a
capital). Sources: Sneddon et al. 2010, *Indonesian: A Comprehensive Grammar*, 2.95 (pronoun
substitutes); Sneddon 2006, *Colloquial Jakartan Indonesian*, ch. 5 (gue, lu); Djenar 2006 on address.
"""

from collections import Counter

import regex

from agents.detectors.phrasal import own_words
from agents.detectors.port import UNKNOWN, Detector, Evidence, Finding, Rule

LABELS = ("anda", "kin", "kamu", "lu")
"""Neutral-formal pronoun, kin term or title, familiar pronoun, Jakarta pronoun."""

_LONG = "bapak|ibu|saudara|saudari|tuan|nyonya|nona|adik|kakak|tante|om|bude|pakde|eyang|oma|opa|kakek|nenek|ustaz|ustadz|dokter|suster|bunda|ayah|mama|papa|mbak|mas|abang|bang|kak|dik|teteh|uda|uni|paman|bibi|nak|opung|ompung|abah|abi|umi|emak|mamak|amang|inang|akang|aa|kaka|koko|cece|engkoh|daeng|puang|ajo|pace|mace"
_SHORT = "daeng|puang|ajo|pace|mace|saudara-saudara|mas-mas|mbak-mbak|kakak-kakak|adik-adik|opung|ompung|pung|tulang|namboru|nantulang|amang|inang|lae|ito|abah|abi|umi|ummi|emak|mak|mamak|ceu|akang|aa|nyai|buya|kyai|encang|encing|babe|wak|uwak|mamah|papi|mami|kaka|beh|ndan|komandan|juragan|bestie|sob|tan|uda|uni|mbok|mang|bi|bibi|paman|cak|ning|mpok|bunda|ayah|mama|papa|ma|pa|yah|bun|pakle|paklik|bulik|oma|opa|eyang|kiai|gus|jeng|bos|dokter|suster|kakek|nenek|teteh|tante|pak|bu|dok|sus|mas|mbak|mba|kak|bang|dik|dek|om|tante|nak|neng|bro|sis|gan|kang|teh|bli|koh|cik|ci|pakde|bude|mbah|bapak|ibu|adik|kakak|abang|prof|ustaz|ustadz|nek|kek|bapak-bapak|ibu-ibu|tuan|nyonya|nona|bapak ibu"
_OWNED = r"(?:saya|aku|ku|kami|kita|gue|gua|dia|mereka|itu|ini|tersebut|kamu|anda|lu|lo|kandung|tiri|mertua|rumah|kota|jari|kawin|guru|pertiwi|hamil|muda|kos|negara|suri)"
_LEFT, _RIGHT = r"(?<![\p{L}\p{M}\d-])", r"(?![\p{L}\p{M}\d-])"

_ANDA = regex.compile(rf"{_LEFT}anda(?:lah|kah)?{_RIGHT}", regex.I)
_LU = regex.compile(rf"{_LEFT}(?:lu|lo|elu|elo|loe|ente){_RIGHT}", regex.I)
_KAMU = regex.compile(
    rf"{_LEFT}(?:(?:kamu|kau|engkau|kalian)(?:lah|kah)|kamu|(?<!\d\s?)km|kmu|klian|kau|engkau|dikau|kalian|kau(?!m|s(?:nya|ku|mu|al|$|\b)|kas|la\b)\p{{L}}{{4,}}|(?!memukau|menjangkau|terjangkau|dijangkau)\p{{L}}{{3,}}kau){_RIGHT}",
    regex.I,
)
_MU = regex.compile(rf"(?:(?<=\p{{L}}{{3}}-)|{_LEFT})(\p{{L}}{{2,}}-?mu){_RIGHT}", regex.I)
_NAMED = regex.compile(
    rf"{_LEFT}kata (?:anda|kamu|lu|lo|kau|engkau)(?= (?:berasal|ditulis|termasuk|merupakan|adalah|dalam bahasa|dipakai|digunakan){_RIGHT})",
    regex.I,
)
"""The pronoun as a word that is spoken of."""
_NOT_MU = frozenset(
    {
        "tamu",
        "ilmu",
        "jamu",
        "kamu",
        "semu",
        "penemu",
        "penjamu",
        "temu",
        "bertemu",
        "ketemu",
        "jemu",
        "ramu",
        "nemu",
    }
)
_OPENING = r"assalamu\S*|waalaikum\S*|ass wr wb|halo|hai|hei|(?:selamat |met )?(?:pagi|siang|sore|malam|malem)|shalom|sugeng \p{L}+|kulo nuwun|permisi|maaf|mohon maaf|sori|sorry|makasih|terima kasih|suwun"
_ADULT = "koko|cece|bapak|ibu|saudara|mbak|mas|kakak|kak|abang|bang|om|tante|tuan|nyonya"
_CALL = "lho|loh|eh|wah|aduh|nah|oh|hei|hai|duh|ayo|yuk|oke|baik|siap|iya|ya|ya ampun|halo|maaf"
_CHAT = "posisi|sudah|udah|udh|sdh|pesanan\\p{L}*|paket\\p{L}*|barang\\p{L}*|bisa|boleh|mau|jadi|ada|kapan|jam|di mana|dimana|lokasi\\p{L}*|sampai|nanti|besok|tolong|minta|mohon|kok|kalau|(?:saya|aku|sy) (?:mau|mo|udah|udh|sudah|sdh|pesan|order|tunggu|nunggu|cari)|(?-i:(?!kawin)\\p{Ll}{4,}nya)|stok\\p{L}*"
_MISTAKEN = "gerbong|jalan|kamar|nomor|alamat|orang|tempat|duduk|antre|loket|lantai|parkir|masuk|pencet|paham|sambung|naik|ambil"
_OFFICE = "rt|rw|kos|guru|polisi|perawat|suster|dokter|bidan|lurah|camat|haji|hakim|sopir|satpam|kasir|pelayan|kurir|dosen|manajer|direktur|ketua|kepala|mantri|pendeta|hansip|tukang|ojek|kondektur|pilot|resepsionis|admin|barista|wasit|kades|jaksa|ustaz|ustadz|penjaga|petugas"
_VOCATIVE = regex.compile(
    rf"(?:,\s*(?:{_SHORT}){_RIGHT}(?=\s*(?:[,.!?;]|\Z|ya\b))|"
    rf"^\W*(?!yah)(?:{_SHORT})\s*,|"
    rf"(?:^\W*|[.!?]\s+)(?:{_SHORT})(?-i:(?:\s+\p{{Lu}}[\p{{L}}.]+){{1,2}})\s*,|"
    rf"(?:,\s*|{_LEFT}(?:terima kasih|makasih|selamat \p{{L}}+|banyak|halo|maaf|permisi)\s*,?\s*)(?:{_SHORT})(?-i:(?:\s+\p{{Lu}}[\p{{L}}.]+){{1,2}})(?=\s*[.!?]*\Z)|"
    rf"[.!?]\s+(?:{_SHORT})\s*,|"
    rf"^\W*(?:{_CALL}),?\s+(?:{_SHORT})(?-i:(?:\s+\p{{Lu}}[\p{{L}}.]+){{1,2}})\s*,|"
    rf"{_LEFT}(?:ini|bicara|berbicara)\s+(?:dengan|sama)\s+(?:{_ADULT}|pak|bu)(?-i:(?:\s+\p{{Lu}}[\p{{L}}.]+){{1,2}})\s*\?|"
    rf"^\W*(?:pak|bu|mas|mbak|kak|bang|min|gan)\s+(?:{_CHAT}){_RIGHT}|"
    rf"^\W*(?:{_ADULT})\s+(?:salah\s+(?:{_MISTAKEN})|(?:mah|sih)\s+enak|enak,){_RIGHT}?|"
    rf"(?:^\W*|[.!?]\s+)(?:{_SHORT})\s+(?:{_OFFICE})\s*,|"
    rf"(?:^\W*|[.!?]\s+)(?:{_OPENING})\s*,?\s*(?:{_SHORT})(?-i:(?:\s+\p{{Lu}}[\p{{L}}.]+){{0,2}})(?=\s*[,.!?])|"
    rf"{_LEFT}(?:selamat \p{{L}}+|terima kasih|makasih|maaf|permisi|silakan|iya|ya|baik|halo|pagi|siang|sore|malam|tidak|belum|ayo|mari|nggak|tolong)\s+(?:{_SHORT}){_RIGHT}(?=\s*(?:[,.!?]|\Z))|"
    rf"(?:yang terhormat|yth\.?)\s+(?:bapak|ibu|saudara){_RIGHT}|"
    rf"^\W*(?:{_ADULT}|pak|bu)\s+yang\s[^,.!?]*,\s*(?:tolong|mohon|silakan|jangan|maju|minggir|coba)|"
    rf"\p{{L}}+\s+(?:pak|bu|mas|mbak|kak|bang|dok|dik|dek|nak|bro|om|tante)(?=\s*[.!?]*\Z))",
    regex.I,
)
_BIDDEN = "tidak perlu|tidak usah|tak perlu|tak usah|nggak usah|gak usah|dipersilakan|dimohon|diharap|diharapkan|diminta|mau|bisa|dapat|harus|perlu|boleh|silakan|sebaiknya|mending|jangan|tunggu|duduk|isi|tanda|ikut|coba"
_ASKED = (
    f"{_BIDDEN}|jual|menjual|terima|buka|naik|pilih|pesan|beli|sudah|udah|ingin|punya|tinggal|kerja|bekerja|pernah|membawa|bawa|minum|makan|pesan|menunggu|akan|tahu|ada|"
    "sehat|datang|pulang|mencari|cari|butuh|suka|setuju|kenal|dari|sedang|lagi|tidak|belum|kok|kapan|kenapa|mengapa|siapa|"
    "berapa|kelas|asalnya|apa|namanya|umur|umurnya|rumahnya|yakin|lapar|capek|capai|sakit|marah|nggak|gak|percaya|di mana|ke mana"
)
_AFTER = r"(?:apakah|apa|kapan|di mana|ke mana|kenapa|mengapa|kalau|jika|bila|nanti|silakan|mohon|boleh|bisa)"
_SUBJECT = regex.compile(
    rf"(?:^\W*|[.!?]\s+)(?:{_LONG}|om){_RIGHT}\s+(?!{_OWNED}{_RIGHT})"
    rf"(?:(?:{_BIDDEN}){_RIGHT}(?!\s+(?:sekali|tidur|pulang))|(?:{_ASKED}){_RIGHT}[^.!?]*\?)|"
    rf"(?:^\W*|[.!?]\s+)(?:{_ADULT}){_RIGHT}\s+(?!{_OWNED}{_RIGHT})\p{{Ll}}+\s+(?:apa|siapa|berapa|kapan|di mana|ke mana|jam berapa){_RIGHT}[^.!?]*\?|"
    rf"{_LEFT}{_AFTER}\s+(?!(?-i:dokter|suster))(?:{_LONG}|om){_RIGHT}\s+(?!{_OWNED}{_RIGHT})(?:{_ASKED}){_RIGHT}",
    regex.I,
)
"""As a subject: told what to do, or asked; "Ayah sedang tidur" may speak of the father."""
_CAPITAL = regex.compile(
    rf"(?<=[\p{{Ll}},]\s)(?:Bapak|Ibu|Saudara|Saudari|Tuan|Nyonya|Adik|Kakak|Mbak|Mas|Kak|Bang|Tante|Om){_RIGHT}(?!\s+(?:\p{{Lu}}|{_OWNED}{_RIGHT}))"
)
_INTRODUCED = regex.compile(
    rf"{_LEFT}(?:hari|seorang|para|kaum|sang|si|buat|bernama|dengan) (?:Ibu|Bapak){_RIGHT}", regex.I
)
_QUESTIONED = regex.compile(
    rf"^\W*(?:{_ADULT}){_RIGHT}\s+(?!{_OWNED}{_RIGHT})(?=\p{{Ll}})[^.!?,]*{_LEFT}(?:mana|apa|apaan|ngapain|siapa|berapa|kapan|kok){_RIGHT}[^.!?]*\?",
    regex.I,
)
"""A kin term first in a question with a question word: "Kakak turun di halte mana?"."""
_TOLD = regex.compile(
    rf"^\W*(?:{_LONG}){_RIGHT}\s+(?:dan\s+(?:{_LONG}){_RIGHT}\s+)?(?!(?:dan|yang|{_BIDDEN}){_RIGHT})(?-i:\p{{Ll}}+)(?=[\s.!])(?![^.!]*\?)(?![^.!?]*{_LEFT}(?:saya|aku|kami|kita|gue){_RIGHT})",
    regex.I,
)
"""A statement about a kinsman: "Kakak membantu Ibu memasak"."""
_ELDER = regex.compile(
    rf"{_LEFT}(?:pak|bu|mas|mbak|mba|kak|kakak|bang|abang|om|tante|teh|kang|bli|koh|cik|ci|bapak|ibu|uda|uni){_RIGHT}",
    regex.I,
)
_SHORT_QUESTION = regex.compile(rf"^\W*(?:{_LONG})\s+\p{{Ll}}+\s*\?\s*\Z", regex.I)


def open_detector(language: str, name: str) -> Detector:
    """The address detector."""
    return Rule(name, language, LABELS, address)


def address(text: str) -> Finding:
    """The address of `text`; a pronoun before a kin term, don't know where two stand alike or two levels mix."""
    text = _NAMED.sub(" ", own_words(text))
    pronouns = [
        *(Evidence(m.group(), "anda") for m in _ANDA.finditer(text)),
        *(Evidence(m.group(), "lu") for m in _LU.finditer(text)),
        *(Evidence(m.group(), "kamu") for m in _KAMU.finditer(text)),
        *(Evidence(m.group(), "kamu") for m in _MU.finditer(text) if m.group().lower() not in _NOT_MU),
    ]
    found = pronouns or [Evidence(quote, "kin") for quote in _kin(text)]
    if not found:
        return UNKNOWN
    if _mixed(pronouns, text):
        return Finding(None, tuple(found))
    (label, most), *rest = Counter(str(e.value) for e in found).most_common()
    return Finding(None if rest and rest[0][1] == most else label, tuple(found))


def _mixed(pronouns: list[Evidence], text: str) -> bool:
    """Whether an elder is called by a kin term and yet spoken to as familiars are ("Kak, kamu …")."""
    familiar = any(e.value in ("kamu", "lu") for e in pronouns)
    return familiar and any(_ELDER.search(m.group()) for m in _VOCATIVE.finditer(text))


def _kin(text: str) -> list[str]:
    """The kin terms and titles that stand for the addressee."""
    plain = _INTRODUCED.sub("…", text)
    kinds = [_VOCATIVE, _SUBJECT, _QUESTIONED, *([] if _TOLD.match(plain) else [_CAPITAL])]
    found = [m.group().strip(" ,.!?") for p in kinds for m in p.finditer(plain)]
    short = _SHORT_QUESTION.match(plain)
    return found or ([short.group().strip()] if short else [])
