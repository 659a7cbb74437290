# The short face of the build. CMakeLists.txt and CMakePresets.json say how things are built, scripts/ what is done
# with them; this file only names it. `make help` lists the targets.
PRESET ?= release
PREFIX ?= /usr/local
WERROR ?= ON
FUZZ_SECONDS ?= 300
FUZZ_PAIRS ?= 1e7
FUZZ_THROWS ?= 1e5
KILL_POINTS ?= 1000
TORTURE_SECONDS ?= 600
TORTURE_SEED ?= 1
FAULT_SECONDS ?= 3600
MUTANT_SEED ?= 1
export JOBS FUZZ_SECONDS FUZZ_JOBS

.DEFAULT_GOAL := build
.NOTPARALLEL:
.PHONY: build run test fmusan check bench counts numerics lint format fuzz killtest sweepkill sweepcost torture faults coverage mutants docs figures python install clean help viewer wasm windows deb debtest site

build: ## build the library, the tool build/carom and the tests (the default)
	@scripts/setup.sh
	@scripts/fmu_sources.sh
	@scripts/build.sh release

run: ## build the tool, simulate the billiards example, and say where its report is
	@scripts/setup.sh
	@TARGET=carom_cli scripts/build.sh release
	build/carom run examples/billiards.lua --out build/billiards.run
	@echo
	@echo "Open in a browser: $(CURDIR)/build/billiards.run/report.html"

test: ## build with warnings as errors, run every test; PRESET=asan, tsan, debug or coverage for another build
	@scripts/setup.sh build python viewer
	@scripts/fmu_sources.sh
	@scripts/build.sh $(PRESET) -DCAROM_WERROR=$(WERROR) -DCAROM_TESTS=ON
	@scripts/test.sh $(PRESET)

fmusan: ## build FMUs and their tests with sanitizers, run them; and all examples to their ends in the plain build
	@scripts/fmu_sources.sh
	@for target in test_fmu test_fmu3 test_fmu_exchange test_fmu_import carom_cli; do \
	  TARGET=$$target scripts/build.sh asan -DCAROM_TESTS=ON -DCAROM_FMU=ON || exit 1; \
	done
	@ctest --test-dir build-asan -R '^fmu' --output-on-failure
	@TARGET=test_fmu scripts/build.sh release -DCAROM_TESTS=ON
	@cd build/test && ./test_fmu all

check: ## build, and run all tests that need no browser: a minute after the build
	@scripts/setup.sh build python
	@scripts/fmu_sources.sh
	@scripts/build.sh $(PRESET) -DCAROM_TESTS=ON
	@CAROM_NO_BROWSER=1 scripts/test.sh $(PRESET)

bench: ## build and run the benchmarks, next to the libraries that are in use
	@scripts/setup.sh build bench
	@TARGET=bench_programs scripts/build.sh release -DCAROM_BENCH=ON
	@scripts/bench.sh

counts: ## count instructions of short runs, compare with bench/counts.txt; COUNTS=--write takes them as new
	@scripts/setup.sh build bench
	@scripts/counts.sh $(COUNTS)

numerics: ## measure all solvers anew, write docs/numerics_tables.md and its diagrams
	@scripts/setup.sh
	@TARGET=work_precision scripts/build.sh release -DCAROM_BENCH=ON
	build/bench/work_precision docs/figures > build/numerics_tables.md
	cp build/numerics_tables.md docs/

lint: ## check format, clang-tidy, cppcheck, layers and names in documents
	@scripts/setup.sh build lint
	@scripts/build.sh release
	@scripts/lint.sh

format: ## bring the format of all C files in order
	@scripts/setup.sh lint
	@scripts/lint.sh format

fuzz: ## run every fuzz harness for FUZZ_SECONDS (300) each, FUZZ_PAIRS (10^7) pairs of shapes, FUZZ_THROWS (10^5) throws
	@scripts/setup.sh build fuzz
	@TARGET=fuzz_programs scripts/build.sh fuzz
	@scripts/fuzz.sh
	@TARGET=distance_fuzz scripts/build.sh release -DCAROM_TESTS=ON
	build/test/distance_fuzz $(FUZZ_PAIRS)
	@TARGET=profile_fuzz scripts/build.sh release -DCAROM_TESTS=ON
	build/test/profile_fuzz 1000000
	@TARGET=surface_fuzz scripts/build.sh release -DCAROM_TESTS=ON
	build/test/surface_fuzz 1000
	@TARGET=outline_fuzz scripts/build.sh release -DCAROM_TESTS=ON
	build/test/outline_fuzz 20000
	@TARGET=piece_fuzz scripts/build.sh release -DCAROM_TESTS=ON
	build/test/piece_fuzz 8000
	@TARGET=ground_fuzz scripts/build.sh release -DCAROM_TESTS=ON
	build/test/ground_fuzz 700
	@TARGET=throw_fuzz scripts/build.sh release -DCAROM_TESTS=ON
	@TARGET=drop_fuzz scripts/build.sh release -DCAROM_TESTS=ON
	@TARGET=tumble_fuzz scripts/build.sh release -DCAROM_TESTS=ON
	build/test/throw_fuzz $(FUZZ_THROWS)
	build/test/throw_fuzz $(FUZZ_THROWS) --lossy
	build/test/drop_fuzz
	build/test/tumble_fuzz 1 1000

killtest: ## kill runs of 20 models at KILL_POINTS (1000) random points, resume them, compare with undisturbed ones
	@scripts/setup.sh
	@TARGET=kill_test scripts/build.sh release -DCAROM_TESTS=ON
	build/test/kill_test $(KILL_POINTS)

sweepkill: ## kill a sweep of 10^5 runs at 20 random times, compare its table with that of an undisturbed one
	@scripts/setup.sh
	@TARGET=sweep_kill scripts/build.sh release -DCAROM_TESTS=ON
	build/test/sweep_kill

torture: ## random models for TORTURE_SECONDS (600), each right or a failure with a name; what is wrong lies in build/torture
	@scripts/setup.sh
	@TARGET=carom_cli scripts/build.sh release
	/usr/bin/python3 test/torture/torture.py --seconds $(TORTURE_SECONDS) --seed $(TORTURE_SEED)

faults: ## the tool with every single allocation, write, sync, rename, close and mapping failing once, for FAULT_SECONDS (3600)
	@scripts/setup.sh
	@TARGET=carom_cli scripts/build.sh release -DCAROM_TESTS=ON
	@TARGET=carom_fault scripts/build.sh release -DCAROM_TESTS=ON
	/usr/bin/python3 test/faults/faults.py build/carom build/test/libcarom_fault.so examples --seconds $(FAULT_SECONDS)

coverage: ## build with counters, run the tests, show which lines they reach, by folder, and messages that none does
	@scripts/setup.sh build coverage
	@scripts/fmu_sources.sh
	@scripts/build.sh coverage -DCAROM_TESTS=ON -DCAROM_FMU=ON
	@rm -rf build-coverage/counts
	@CAROM_NO_BROWSER=1 scripts/test.sh coverage || true
	/usr/bin/python3 scripts/coverage.py build-coverage

mutants: ## break the code in 200 places, one at a time, and see whether the tests notice; MUTANT_SEED chooses them (1)
	@scripts/setup.sh build coverage
	@scripts/build.sh release -DCAROM_TESTS=ON
	/usr/bin/python3 scripts/mutate.py --seed $(MUTANT_SEED)

sweepcost: ## measure what a sweep costs beside its runs
	@scripts/setup.sh
	@TARGET=sweep_cost scripts/build.sh release -DCAROM_TESTS=ON
	build/test/sweep_cost

wasm: ## build the simulator of play pages anew; needs emscripten and zopfli (Debian: apt-get install emscripten zopfli)
	@scripts/wasm.sh

windows: ## build carom.exe for Windows in build-windows, by mingw-w64; where Wine is, its test runs it
	@scripts/setup.sh build windows
	@scripts/fmu_sources.sh
	@scripts/build.sh windows

viewer: ## bundle the pages of reports and of play anew from viewer/src; needs npm
	@scripts/setup.sh viewer
	cd viewer && npm ci --no-audit --no-fund && node build.mjs

docs: build ## write the generated pages and pictures in docs/ anew; the pictures need Chromium
	@scripts/setup.sh python viewer
	build/carom schema > build/model.schema.json
	build/carom schema --markdown > build/reference.md
	build/carom schema --lua > build/carom.d.lua
	cp build/model.schema.json build/reference.md build/carom.d.lua docs/
	@$(MAKE) --no-print-directory python
	@$(MAKE) --no-print-directory figures
	MPLBACKEND=Agg PYTHONPATH=python CAROM_LIBRARY_PATH=build/python /usr/bin/python3 python/run_document.py README.md \
	  'In Python' && mv billiards.h5 build/
	build/carom run examples/billiards.lua --quiet --out build/billiards.run
	build/carom view build/billiards.run/result.h5 --png docs/figures/billiards.png --time 1.4 --size 1280x640 \
	  --camera 0.25,-1.1,1.25 --show 'forces=0&points=0&trails=1'
	build/carom view build/billiards.run/result.h5 --png docs/figures/report_billiards.png --time 1.4 --size 1400x900 \
	  --page plots --show trails=1
	build/carom run examples/t_slot.lua --quiet --out build/t_slot.run
	build/carom view build/t_slot.run --png docs/figures/t_slot.png --size 640x400 --camera 1,-1.6,0.8
	build/carom run examples/terrain_car.lua --stop 2 --quiet --out build/terrain_car.run
	build/carom view build/terrain_car.run --png docs/figures/terrain_car.png --time 1.5 --size 640x400 --camera 1,-1.2,0.7
	build/carom run examples/ball_bearing.lua --stop 0.1 --quiet --no-report --out build/ball_bearing.run
	build/carom view build/ball_bearing.run --png docs/figures/ball_bearing.png --time 0.05 --size 640x400 \
	  --camera 0.35,-0.5,0.8 --show 'floor=0&points=0'
	build/carom run examples/cam_jump.lua --stop 0.2 --quiet --no-report --out build/cam_jump.run
	build/carom view build/cam_jump.run --png docs/figures/cam_jump.png --time 0.08 --size 640x400 \
	  --camera 0.1,-0.35,1.2 --show 'floor=0&points=0&joints=1'
	build/carom run examples/involute_gears.lua --stop 0.02 --quiet --no-report --out build/involute_gears.run
	build/carom view build/involute_gears.run --png docs/figures/involute_gears.png --time 0.01 --size 640x400 \
	  --camera 0.1,-0.5,1.2 --show 'floor=0&points=0'
	build/carom run examples/geneva.lua --quiet --no-report --out build/geneva.run
	build/carom view build/geneva.run --png docs/figures/geneva.png --time 0.3 --size 640x400 \
	  --camera 0.15,-0.6,1.2 --show 'floor=0&points=0&trails=1'

python: ## write anew what the Python package takes from the headers and from docs/model.schema.json
	/usr/bin/python3 python/generate_declarations.py && /usr/bin/python3 python/generate_elements.py

figures: ## draw the figures of docs/ anew, from laws and from runs of the examples
	@TARGET=carom_cli scripts/build.sh release
	@TARGET=contact_figures scripts/build.sh release
	@TARGET=example_figures scripts/build.sh release
	@TARGET=collision_figures scripts/build.sh release
	scripts/figures.sh

site: ## make the documents static pages in build/site, every example with its run; SITE_EXAMPLES=a,b for these alone
	@scripts/setup.sh build viewer package
	@scripts/fmu_sources.sh
	@TARGET=carom_cli scripts/build.sh release
	/usr/bin/python3 scripts/site.py build/carom build/site --examples '$(SITE_EXAMPLES)'
	@echo
	@echo "Open in a browser: $(CURDIR)/build/site/index.html"

deb: ## build Debian's packages in build-deb, and look at them with lintian
	@scripts/setup.sh build python package
	@scripts/fmu_sources.sh
	@scripts/deb.sh

debtest: ## install the packages of build-deb in a clean Debian, and run what they hold; needs root and the network
	@scripts/setup.sh package
	@scripts/check_deb.sh

install: build ## install below PREFIX (/usr/local), staged below DESTDIR if given
	DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'

clean: ## remove every build folder
	rm -rf build build-debug build-asan build-tsan build-coverage build-fuzz build-package build-counts build-deb build-windows

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
