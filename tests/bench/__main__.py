"""All benchmarks, one after the other: `make bench`."""

from tests.bench import baselines, bootstrap, calls, engine, local, startup

for module in (engine, startup, local, baselines, bootstrap, calls):
    module.main()
