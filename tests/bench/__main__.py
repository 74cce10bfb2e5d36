"""All benchmarks, one after the other: `make bench`."""

from tests.bench import baselines, calls, engine, local, startup

for module in (engine, startup, local, baselines, calls):
    module.main()
