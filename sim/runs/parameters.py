"""Which parameters a plan may give a model: those of sampling, never the call's own.

What is said, by whom and how it is sent belongs to the conversation and its client; keys and addresses
come from the environment alone, since parameters are part of the record.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

_CALL = frozenset(
    {"model", "messages", "prompt", "n", "best_of", "stream", "stream_options", "response_format"}
    | {"num_retries", "max_retries"}
)
"""Named by the call itself; several answers a call would cost more than was set aside for one."""
_ACCESS = re.compile(r"^api_|base_url|access_key|secret|password|credentials|headers$|(?:^|_)token$")
_LENGTHS = ("max_tokens", "max_completion_tokens")
"""A budget sets aside what these allow."""


def sampling(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters as they are. Raises ValueError where they cannot be given to a model or recorded."""
    for name in parameters:
        if name in _CALL:
            raise ValueError(f"{name!r} is no parameter of sampling: the call sets it")
        if _ACCESS.search(name.casefold()):
            raise ValueError(f"{name!r} is access: keys and addresses come from the environment alone")
    for name in _LENGTHS:
        if name in parameters and not _is_length(parameters[name]):
            raise ValueError(f"{name!r} is no whole number from 1")
    try:
        json.dumps(dict(parameters), allow_nan=False)
    except (TypeError, ValueError) as failure:
        raise ValueError(
            "a value is neither text, a finite number, true, false, a list nor a table"
        ) from failure
    return parameters


def _is_length(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
