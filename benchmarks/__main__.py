"""`python -m benchmarks`, from a clone of the sources."""

from benchmarks.command import bench

if __name__ == "__main__":
    bench(prog_name="python -m benchmarks")
