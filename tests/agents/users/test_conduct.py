import csv
from pathlib import Path

import pytest

from agents.users.conduct import breaks_character, refuses

DATA = Path(__file__).parent / "data" / "conduct.tsv"
OTHERS = Path(__file__).parents[1] / "detectors" / "data"
"""Sentences labelled by their speech act, by writers who knew none of these phrases."""

REFUSALS = {
    "eng": [
        "Sorry, I only speak English.",
        "I can only respond in English, could you resend that?",
        "I'm afraid I don’t understand Korean.",
        "Your message is not in English, so I can't answer it.",
        "I do not understand this language.",
        "I'm sorry, but I can't assist with that request.",
        "Could you please repeat that in English?",
        "Please use English when you talk to me.",
        "As an AI, I'm unable to give medical advice.",
        "This is in a language I don't understand.",
    ],
    "ind": [
        "Maaf, saya hanya bisa berbicara bahasa Indonesia.",
        "Saya tidak mengerti bahasa Korea.",
        "Maaf, saya nggak paham bahasa yang Anda pakai itu, bahasa tersebut asing buat saya.",
        "Tolong gunakan bahasa Indonesia ya.",
        "Bisakah Anda mengulangi dalam bahasa Indonesia? Tolong sampaikan dalam bahasa Indonesia.",
        "Pesan Anda bukan dalam bahasa Indonesia.",
        "Sebagai AI, saya tidak dapat memberikan nasihat medis.",
        "Saya cuma mengerti bahasa Indonesia, maaf.",
        "Maaf, saya tidak bisa menjawab dalam bahasa lain.",
        "Silakan bertanya dalam bahasa Indonesia.",
    ],
    "kor": [
        "죄송합니다. 저는 한국어만 할 수 있습니다.",
        "죄송하지만 한국어로 다시 말씀해 주시겠어요?",
        "영어를 이해하지 못합니다.",
        "저는 인도네시아어를 이해할 수 없어요.",
        "이 언어는 제가 잘 모르겠어요.",
        "보내신 메시지가 한국어로 작성되지 않아 답변드리기 어렵습니다.",
        "한국어로만 대답할 수 있어요.",
        "미안해요, 전 한국말밖에 못해요.",
        "인공지능으로서 의학적인 답변은 드릴 수 없습니다.",
        "그 언어로는 대답할 수 없습니다.",
    ],
    "arb": [
        "عذرًا، أنا أتحدث العربية فقط.",
        "آسف، لا أفهم اللغة الكورية.",
        "لا أستطيع فهم هذه اللغة.",
        "يرجى الكتابة باللغة العربية.",
        "من فضلك، هل يمكنك إعادة السؤال بالعربية؟",
        "لا أتكلم إلا العربية.",
        "رسالتك ليست باللغة العربية.",
        "هذه رسالة بلغة لا أفهمها.",
        "كنموذج لغوي، لا يمكنني تقديم نصيحة طبية.",
        "يمكنني الرد باللغة العربية فقط.",
    ],
    "ben": [
        "দুঃখিত, আমি শুধু বাংলায় কথা বলতে পারি।",
        "আমি কোরিয়ান ভাষা বুঝি না।",
        "দয়া করে বাংলায় বলুন।",
        "আমি এই ভাষা বুঝতে পারছি না।",
        "আমি কেবল বাংলা বুঝি, মাফ করবেন।",
        "আপনার বার্তাটি বাংলায় নয়, তাই উত্তর দিতে পারছি না।",
        "বাংলা ছাড়া অন্য কোনো ভাষা আমি জানি না।",
        "অনুগ্রহ করে বাংলা ভাষায় প্রশ্ন করুন।",
        "এআই হিসেবে আমি চিকিৎসার পরামর্শ দিতে পারি না।",
        "ওই ভাষায় আমি উত্তর দিতে পারি না।",
    ],
}

BROKEN = {
    "eng": [
        "As an AI language model, I don't eat.",
        "I'm just an AI assistant, but sure.",
        "I was trained on data up to 2023.",
        "According to the role provided, I am a patient.",
        "I have been instructed to act as a patient.",
        "My system prompt says I should be polite.",
        "This is a fun role-play!",
        "I'll stay in character and answer: yes, doctor.",
    ],
    "ind": [
        "Sebagai model bahasa, saya tidak makan.",
        "Saya adalah asisten virtual yang siap membantu.",
        "Saya sebenarnya sebuah AI.",
        "Saya diprogram untuk menjawab dengan sopan.",
        "Sesuai dengan peran yang diberikan, saya seorang pasien.",
        "Instruksi sistem meminta saya sopan.",
        "Saya diminta untuk berperan sebagai pasien.",
        "Saya dilatih oleh Google.",
    ],
    "kor": [
        "저는 AI 언어 모델이라서 밥을 먹지 않아요.",
        "저는 인공지능입니다.",
        "저는 인공지능 비서입니다. 무엇을 도와드릴까요?",
        "프롬프트에 따르면 저는 환자예요.",
        "이 역할극에서 저는 환자입니다.",
        "주어진 역할에 따라 대답하겠습니다.",
        "저는 LG에서 개발한 모델이에요.",
        "사용자 A에게 대답하겠습니다.",
    ],
    "arb": [
        "أنا نموذج لغوي ولا آكل الطعام.",
        "بصفتي ذكاءً اصطناعيًا أقول لك نعم.",
        "أنا مجرد مساعد افتراضي.",
        "تم تدريبي على بيانات كثيرة.",
        "وفقًا للدور المحدد لي أنا مريض.",
        "في هذه المحاكاة أنا المريض.",
        "طُلب مني أن ألعب دور المريض.",
        "كمساعد ذكي سأجيبك حالًا.",
    ],
    "ben": [
        "আমি একটি এআই, আমি খাবার খাই না।",
        "আমি একটি ভাষা মডেল।",
        "এআই সহকারী হিসেবে আমি খুশি।",
        "প্রম্পটে বলা আছে আমি রোগী।",
        "এই রোল প্লেতে আমি রোগী।",
        "আমাকে রোগীর চরিত্রে অভিনয় করতে বলা হয়েছে।",
        "আমাকে তৈরি করেছে গুগল।",
        "নির্ধারিত ভূমিকা অনুযায়ী উত্তর দিচ্ছি।",
    ],
}

IN_ROLE = {
    "eng": [
        "I can't do that today, the doctor is busy.",
        "I don't understand, could you repeat?",
        "Sorry, I didn't catch that. Could you say it again?",
        "I don't speak Korean, so thank you for using the interpreter.",
        "My wife only speaks Korean at home.",
        "Could you write the address in English, please?",
        "Do you have an English menu?",
        "Follow my instructions and take two pills a day.",
        "We can't process your request without a passport.",
        "I'm a shop assistant, I can help you with the size.",
        "She played an important role in the company.",
        "I was asked to play the piano at the wedding.",
        "Please speak more slowly.",
        "I'm studying artificial intelligence at university.",
        "The teacher's assistant will call you.",
        "That is an app developed by Google.",
        "No, I cannot accept this.",
        "I don't have any feelings for him.",
    ],
    "ind": [
        "Maaf, hari ini tidak bisa, dokternya sedang sibuk.",
        "Saya tidak mengerti, bisa diulangi?",
        "Maaf, tadi kurang jelas. Bisa bicara lebih pelan?",
        "Saya tidak bisa bahasa Korea, untung ada penerjemah.",
        "Anak saya belajar bahasa Inggris di sekolah.",
        "Bisa tulis alamatnya dalam bahasa Inggris?",
        "Ikuti petunjuk saya dan minum obatnya dua kali sehari.",
        "Saya asisten toko di sini.",
        "Dia memainkan peran penting di kantor.",
        "Saya diminta menjadi saksi.",
        "Permintaan Anda tidak bisa kami proses tanpa paspor.",
        "Saya kuliah di jurusan kecerdasan buatan.",
        "Tidak, saya tidak mau.",
        "Saya hanya makan sedikit.",
        "Tolong bicara pelan-pelan.",
        "Apakah ada menu bahasa Inggris?",
    ],
    "kor": [
        "오늘은 어렵습니다. 선생님이 바쁘세요.",
        "이해를 못 했어요. 다시 말씀해 주시겠어요?",
        "죄송한데 잘 못 들었어요.",
        "제가 인도네시아어를 못해서 통역이 있어 다행이에요.",
        "제 딸은 학교에서 영어를 배워요.",
        "주소를 한국어로 적어 주시겠어요?",
        "제 지시에 따라 하루 두 번 약을 드세요.",
        "요즘 인공지능 수업을 듣고 있어요.",
        "제가 회의에서 통역 역할을 맡았어요.",
        "고객님의 요청을 처리할 수 없습니다.",
        "주어진 상황에서 최선을 다할게요.",
        "쉬라고 지시받았어요.",
        "좀 더 천천히 말씀해 주세요.",
        "아니요, 그건 못 먹어요.",
        "저는 요즘 AI라는 영화를 보고 있어요.",
        "구글이 만든 지도를 써요.",
    ],
    "arb": [
        "لا يمكن ذلك اليوم، الطبيب مشغول.",
        "لم أفهم، هل يمكنك الإعادة؟",
        "عفوًا، لم أسمعك جيدًا.",
        "أنا لا أتكلم الكورية، والحمد لله أن المترجم معنا.",
        "ابنتي تدرس اللغة الإنجليزية في المدرسة.",
        "ممكن تكتب العنوان بالعربي؟",
        "اتبع تعليماتي وخذ الدواء مرتين في اليوم.",
        "لا يمكننا تنفيذ طلبك بدون جواز سفر.",
        "أدرس الذكاء الاصطناعي في الجامعة.",
        "لعب أخي دورًا مهمًا في الشركة.",
        "كان عندي روبوت صغير وأنا طفل.",
        "من فضلك تكلم ببطء.",
        "لا، لا أستطيع قبول هذا.",
        "أعمل مساعدًا للمدير.",
        "كل المواد سهلة إلا الرياضيات.",
        "هل لديكم قائمة طعام بالإنجليزية؟",
    ],
    "ben": [
        "আজ সম্ভব নয়, ডাক্তার ব্যস্ত আছেন।",
        "বুঝতে পারলাম না, আবার বলবেন?",
        "মাফ করবেন, ঠিক শুনতে পাইনি।",
        "আমি কোরিয়ান বলতে পারি না, দোভাষী থাকায় সুবিধা হলো।",
        "আমার মেয়ে স্কুলে ইংরেজি শেখে।",
        "ঠিকানাটা বাংলায় লিখে দেবেন?",
        "আমি শুধু বাংলা গান শুনি।",
        "ডাক্তারের দেওয়া নির্দেশনা অনুযায়ী ওষুধ খাই।",
        "আমি এআই নিয়ে পড়াশোনা করছি।",
        "তিনি গুরুত্বপূর্ণ ভূমিকা পালন করেন।",
        "পাসপোর্ট ছাড়া আপনার আবেদন নেওয়া যাবে না।",
        "একটু আস্তে বলুন।",
        "না, আমি এটা নিতে পারব না।",
        "আমাকে কাজের প্রশিক্ষণ দেওয়া হয়েছে।",
        "আমি দোকানের সহকারী।",
        "আমি শুধু বাংলাদেশে থেকেছি, আর কিছু জানি না।",
    ],
}


def pairs(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(code, text) for code, texts in table.items() for text in texts]


@pytest.mark.parametrize(("language", "text"), pairs(REFUSALS))
def test_refusing_the_language_is_a_refusal(language: str, text: str) -> None:
    assert refuses(text, language)


@pytest.mark.parametrize(("language", "text"), pairs(BROKEN))
def test_speaking_as_a_machine_or_of_the_role_breaks_character(language: str, text: str) -> None:
    assert breaks_character(text, language)


@pytest.mark.parametrize(("language", "text"), pairs(IN_ROLE))
def test_people_in_role_neither_refuse_nor_break_character(language: str, text: str) -> None:
    assert not refuses(text, language)
    assert not breaks_character(text, language)


@pytest.mark.parametrize("language", ["arb", "ben", "ind", "kor"])
def test_a_refusal_in_english_is_found_whatever_the_user_speaks(language: str) -> None:
    assert refuses("I'm sorry, but I can't understand this language.", language)
    assert breaks_character("As a language model, I cannot do that.", language)


def test_asking_for_another_language_than_ones_own_is_not_a_refusal() -> None:
    assert not refuses("영어로 말씀해 주세요.", "kor")
    assert refuses("영어로 말씀해 주세요.", "eng")


@pytest.mark.parametrize("language", ["jpn", "deu"])
def test_users_of_any_language_are_looked_at(language: str) -> None:
    assert breaks_character("I am an AI.", language)
    assert not refuses("Ich habe heute leider keine Zeit.", language)


@pytest.mark.parametrize("text", ["", " ", "\x00\ud800", "👍", "i only can " * 5000])
def test_any_string_gets_an_answer(text: str) -> None:
    assert not refuses(text, "eng")
    assert not breaks_character(text, "eng")


def written(*kinds: str) -> list[tuple[str, str]]:
    """(language, text) of the sentences of some kinds, each scored before anything was learned from it."""
    with DATA.open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["language"], row["text"]) for row in rows if row["says"] in kinds]


def flagged(text: str, language: str) -> bool:
    return refuses(text, language) or breaks_character(text, language)


def test_safety_refusals_and_broken_roles_are_found() -> None:
    """Two sets of sentences, 53 of 70 and 24 of 25 when they were first scored."""
    said = written("machine-first", "machine-second")
    missed = [text for code, text in said if not flagged(text, code)]
    assert len(said) == 95
    assert missed == ["এতে সংবেদনশীল বিষয় আছে, তাই এই কথোপকথন চালিয়ে যেতে পারছি না।"]


STILL_MISSED = [
    "I must decline to generate content that could be harmful or discriminatory.",
    "I don't have feelings or a physical body, but I'd be happy to help you draft a reply to your landlord.",
    "It seems there's no previous message in our chat. "
    "Could you give me more context so I can respond as the tenant?",
    "Ada yang bisa saya bantu dengan teks ini? Saya bisa menerjemahkan atau memperbaikinya untuk Anda.",
    "이전 대화 내용이 없어 세입자로서 답변을 작성할 수 없습니다. 맥락을 더 알려 주시겠어요?",
    "يبدو أن النص غير مكتمل. هل تود أن أترجمه أو أعيد صياغته؟",
    "লেখাটি অসম্পূর্ণ মনে হচ্ছে। আপনি কি চান আমি এটি অনুবাদ করে দিই?",
]


def test_what_models_say_of_their_part_is_found() -> None:
    """Sixty sentences by a hand that had seen no phrase: 37 were found when they were first scored."""
    said = written("machine-third")
    assert len(said) == 60
    assert [text for code, text in said if not flagged(text, code)] == STILL_MISSED


@pytest.mark.parametrize(("language", "text"), written("person"))
def test_people_decline_advise_and_speak_of_machines_in_role(language: str, text: str) -> None:
    assert not flagged(text, language)


@pytest.mark.parametrize("language", ["arb", "ben", "eng", "ind", "kor"])
def test_ordinary_declines_by_other_hands_are_no_refusals(language: str) -> None:
    said = 0
    for path in sorted(OTHERS.glob(f"others-*/{language}-acts.tsv")):
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                said += "refusal=yes" in row["labels"]
                assert not flagged(row["text"], language), row["text"]
    assert said >= 400
