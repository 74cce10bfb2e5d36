"""The calls of a batch as an Inspect AI task: a side of `tests.bench.batches`.

Run by the Python of an environment that has inspect-ai and openai, as a file:
`batches_inspect.py BODIES CONVERSATIONS IN_FLIGHT LOGS`. A sample is a conversation: its solver asks the
interpreter turn by turn, its scorer asks the judge. Nothing of Skopos is imported.
"""

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ResponseSchema,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

KINDS: dict[str, Any] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}


def _messages(body: dict[str, Any]) -> list[ChatMessage]:
    return [KINDS[said["role"]](content=said["content"]) for said in body["messages"]]


def _config(body: dict[str, Any]) -> GenerateConfig:
    form = body.get("response_format")
    schema = (
        ResponseSchema(
            name="verdicts", json_schema=JSONSchema.model_validate(form["json_schema"]["schema"]), strict=True
        )
        if form
        else None
    )
    return GenerateConfig(
        temperature=body.get("temperature"), max_tokens=body.get("max_tokens"), response_schema=schema
    )


@solver
def interpreted(bodies: list[dict[str, Any]]) -> Solver:
    """Ask the interpreter for every turn."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = get_model()
        for body in bodies:
            state.output = await model.generate(_messages(body), config=_config(body))
            state.messages.append(state.output.message)
        return state

    return solve


@scorer(metrics=[accuracy()])
def judged(bodies: list[dict[str, Any]]) -> Scorer:
    """Ask the judge for every turn; the share of criteria met."""

    async def score(state: TaskState, target: Target) -> Score:
        model = get_model()
        verdicts: list[dict[str, Any]] = []
        for body in bodies:
            output = await model.generate(_messages(body), config=_config(body))
            verdicts += json.loads(output.completion)["verdicts"]
        met = sum(bool(verdict["met"]) for verdict in verdicts)
        return Score(value=met / len(verdicts), metadata={"verdicts": verdicts})

    return score


def main() -> None:
    """Evaluate."""
    bodies = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    conversations, in_flight = int(sys.argv[2]), int(sys.argv[3])
    judging = [body for body in bodies if "response_format" in body]
    speaking = [body for body in bodies if "response_format" not in body]
    samples = [Sample(input="conversation", id=number + 1) for number in range(conversations)]
    task = Task(dataset=samples, solver=interpreted(speaking), scorer=judged(judging))
    (log,) = eval(
        task,
        model="openai/stub",
        model_args={"responses_api": False},
        display="none",
        log_dir=sys.argv[4],
        max_samples=in_flight,
        max_connections=in_flight,
        max_retries=0,
    )
    if log.status != "success":
        raise SystemExit(f"Inspect ended with {log.status}: {log.error}")


if __name__ == "__main__":
    main()
