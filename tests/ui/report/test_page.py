"""The HTML page: self-contained, locked, safe with any text, and a fair sample of failures."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from sim.commands.main import main
from tests.sim.commands.made_run import NASTY, conversation, study, write_run


class Reader(HTMLParser):
    """What a browser would see of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append((self.tags[-1][1], data))
        elif self.open and self.open[-1] == "style":
            self.styles.append(data)
        else:
            self.words.append(data)


def page(records: list[dict[str, Any]], folder: Path, *words: str) -> Reader:
    write_run(folder / "r", records)
    assert main(["report", str(folder / "r"), "--html", str(folder / "p.html"), *words]) == 0
    reader = Reader()
    reader.feed((folder / "p.html").read_text(encoding="utf-8"))
    assert reader.open == []
    return reader


def failures(reader: Reader) -> list[dict[str, Any]]:
    (data,) = [body for attributes, body in reader.scripts if attributes.get("type") == "application/json"]
    found: list[dict[str, Any]] = json.loads(data)
    return found


def test_the_policy_allows_its_own_style_and_script_alone(tmp_path: Path) -> None:
    reader = page(study(), tmp_path)
    (policy,) = [
        a["content"] or "" for _, a in reader.tags if a.get("http-equiv") == "Content-Security-Policy"
    ]
    (script,) = [body for attributes, body in reader.scripts if "type" not in attributes]
    assert policy.startswith("default-src 'none'; ")
    for content, source in ((script, "script-src"), (reader.styles[0], "style-src")):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{source} 'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_nothing_is_asked_of_anyone(tmp_path: Path) -> None:
    reader = page(study(), tmp_path)
    assert not [
        t for t, a in reader.tags if t in ("link", "img", "iframe", "object") or "src" in a or "href" in a
    ]
    assert not [a for _, a in reader.tags if "style" in a or any(name.startswith("on") for name in a)]
    content = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[^\"'\s<]+", content)) <= {"http://www.w3.org/2000/svg"}
    assert "url(" not in content
    assert "@import" not in content


def test_any_text_stays_text(tmp_path: Path) -> None:
    records = [conversation(NASTY, f"s{n}", [False], said=NASTY) for n in range(2)]
    reader = page(records, tmp_path)
    assert "b" not in {tag for tag, _ in reader.tags}
    assert len(reader.scripts) == 2
    shown = "".join(reader.words)
    assert "</script><b>&␛[2J⟨U+202E⟩" in shown
    (judge,) = failures(reader)
    text = judge["systems"][0]["turns"][0]["texts"][1]["text"]
    assert text == "</script><b>&␛[2J⟨U+202E⟩=1+1 بقي শেষ 끝"
    raw = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "\x1b" not in raw
    assert "\u202e" not in raw


def test_a_failure_leads_to_turn_criterion_and_reason_with_its_language(tmp_path: Path) -> None:
    reader = page([conversation("a", "s", [True, False], pair=("kor", "arb"))], tmp_path)
    ((turn,),) = [system["turns"] for judge in failures(reader) for system in judge["systems"]]
    assert (turn["scenario"], turn["turn"], turn["direction"]) == ("s", 1, ["arb", "kor"])
    assert [(text["what"], text["lang"]) for text in turn["texts"]] == [
        ("source", "ar"),
        ("translation", "ko"),
    ]
    (failed,) = turn["failed"]
    assert (failed["ask"], failed["reason"]) == ("Does the translation keep 1?", "because t1")
    script = next(body for attributes, body in reader.scripts if "type" not in attributes)
    assert 'dir: "auto"' in script
    assert "innerHTML" not in script


def test_a_failure_shows_what_the_turn_was_for_and_how_it_should_have_arrived(tmp_path: Path) -> None:
    record = conversation("a", "s", [False])
    gloss = {"source": "Say please.", "reference": "Please do."}
    record["turns"][0] |= {"intent": "Ask politely.", "reference": "Tolong.", "gloss": gloss}
    ((turn,),) = [one["turns"] for judge in failures(page([record], tmp_path)) for one in judge["systems"]]
    assert [(text["what"], text["lang"], text["text"]) for text in turn["texts"][2:]] == [
        ("meant", "en", "Ask politely."),
        ("should be", "id", "Tolong."),
        ("gloss", "en", "Say please."),
        ("gloss of what it should be", "en", "Please do."),
    ]


def test_at_most_two_hundred_failures_a_system_are_shown_and_counted(tmp_path: Path) -> None:
    records = [
        conversation("a", f"{pair[0]}{n}", [False] * 6, pair=pair)
        for pair in (("kor", "ind"), ("arb", "ben"))
        for n in range(30)
    ]
    (judge,) = failures(page(records, tmp_path))
    (system,) = judge["systems"]
    shown = [failed for turn in system["turns"] for failed in turn["failed"]]
    assert (system["shown"], system["total"], len(shown)) == (200, 360, 200)
    directions = [turn["direction"] for turn in system["turns"]]
    assert {tuple(direction) for direction in directions} == {
        ("kor", "ind"), ("ind", "kor"), ("arb", "ben"), ("ben", "arb"),
    }  # fmt: skip


def test_every_figure_has_its_signatures_and_a_title(tmp_path: Path) -> None:
    reader = page([*study(), *_single()], tmp_path)
    titles = {word for word in reader.words if word.strip()}
    for words in ("Systems", "Languages and layers", "Turns", "Modes", "Functions", "Cost"):
        assert words in titles
    figures = sum(tag == "svg" for tag, _ in reader.tags)
    captions = sum(tag == "figcaption" for tag, _ in reader.tags)
    assert figures == captions >= 6
    assert "No system has a known cost above zero." in titles
    assert (
        sum(word.startswith("Signatures #") or ". Signatures #" in word for word in reader.words) >= figures
    )
    assert any("Scores by mode" in word for word in reader.words)


def _single() -> list[dict[str, Any]]:
    return [
        conversation(name, f"s{n}", [n % 2 == 0], mode="single-turn", turn=0, procedure="single", cost=0.1)
        for name in "ab"
        for n in range(4)
    ]


def test_a_cost_that_is_unknown_is_named_not_drawn(tmp_path: Path) -> None:
    paid = [conversation("a", f"s{n}", [True, False], cost=0.5) for n in range(2)]
    unknown = [conversation("b", f"s{n}", [True, False], cost=0.5, unknown=1) for n in range(2)]
    reader = page([*paid, *unknown], tmp_path)
    assert "Not drawn, cost unknown: b" in reader.words
    assert any("a: 0.500 at 1.0000 US dollars" in word for word in reader.words)


@pytest.mark.parametrize("strict", [False, True])
def test_a_translation_in_a_wrong_language_is_a_failure_under_the_strict_gate(
    strict: bool, tmp_path: Path
) -> None:
    words = ["--strict-language"] if strict else []
    reader = page([conversation("a", "s", [True], check="wrong")], tmp_path, *words)
    (judge,) = failures(reader)
    bases = [failed["basis"] for turn in judge["systems"][0]["turns"] for failed in turn["failed"]]
    assert bases == (["language_gate"] if strict else [])


def test_a_very_long_text_is_cut_and_says_so(tmp_path: Path) -> None:
    (judge,) = failures(page([conversation("a", "s", [False], said="x" * 10_000)], tmp_path))
    text = judge["systems"][0]["turns"][0]["texts"][1]["text"]
    assert text.endswith("(6,000 more characters)")


def test_systems_of_one_model_keep_the_ends_of_their_names(tmp_path: Path) -> None:
    names = [f"provider/a-model-with-a-very-long-name-indeed|cultural|{last}" for last in ("full", "none")]
    reader = page(study(names), tmp_path)
    shortened = {word for word in reader.words if "…" in word}
    assert {word[-20:] for word in shortened} == {name[-20:] for name in names}
    assert max(map(len, shortened)) <= 43


def test_a_system_has_one_colour_in_all_figures(tmp_path: Path) -> None:
    guided = [
        conversation("b", f"s{n}", [True, False], mode="dynamic-guided", procedure="outline", cost=0.1)
        for n in range(3)
    ]
    reader = page([*study(["a", "b", "c"]), *guided], tmp_path)
    content = (tmp_path / "p.html").read_text(encoding="utf-8")
    of_b = set(re.findall(r'swatch (c\d)"></span><bdi>(?:1\. )?b</bdi>', content))
    assert of_b == {"c1"}
    assert len(re.findall(r"<bdi>(?:1\. )?b</bdi></li>", content)) == 3
    assert reader.open == []


def test_many_directions_are_set_in_grids_that_fit_on_paper(tmp_path: Path) -> None:
    codes = ("arb", "ben", "ind", "kor", "eng")
    records = [
        conversation("a", f"{one}-{two}", [True, False], pair=(one, two))
        for one in codes
        for two in codes
        if one != two
    ]
    page(records, tmp_path)
    content = (tmp_path / "p.html").read_text(encoding="utf-8")
    (part,) = re.findall(r"<summary>By direction</summary>(.*?)</details>", content)
    grids = re.findall(r"<thead>(.*?)</thead>", part)
    assert [grid.count("<th ") for grid in grids] == [11, 11]


def test_tables_are_printed_open(tmp_path: Path) -> None:
    reader = page(study(), tmp_path)
    script = next(body for attributes, body in reader.scripts if "type" not in attributes)
    assert 'addEventListener("beforeprint"' in script
    assert 'addEventListener("afterprint"' in script


def test_tables_with_replicates_of_their_own_are_not_signed_with_others(tmp_path: Path) -> None:
    wrong = [conversation("a", f"w{n}", [True, True], check="wrong") for n in range(3)]
    page([*study(), *wrong], tmp_path)
    content = (tmp_path / "p.html").read_text(encoding="utf-8")
    title = "Under the strict language gate (paired, 2,000 replicates)"
    (table,) = re.findall(rf"<summary>{re.escape(title)}</summary>(.*?)</details>", content)
    assert "Signatures #" in table
    assert "10,000" not in table


def test_nothing_is_drawn_of_what_nobody_judged(tmp_path: Path) -> None:
    reader = page([conversation("a", f"s{n}", [None, None]) for n in range(2)], tmp_path)
    assert [tag for tag, _ in reader.tags if tag == "svg"] == []
    assert reader.words.count("There is no score to draw.") == 1
    assert "Nothing was judged." not in reader.words, "once for all figures"


def test_a_run_without_conversations_says_so_and_no_more(tmp_path: Path) -> None:
    reader = page([], tmp_path)
    assert "No conversation is recorded: there is nothing to score." in reader.words
    assert [tag for tag, _ in reader.tags if tag in ("svg", "table", "figure", "h3")] == []
