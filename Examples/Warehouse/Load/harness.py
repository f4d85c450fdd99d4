"""Helpers that the scripts in this folder share."""
import pathlib, socket, sys, time

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 180  # the limit of every wait, in seconds


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"waited {LIMIT} seconds for {what}")
        time.sleep(0.01)


def answers(server, port, hint="its output is not kept"):
    if server.poll() is not None:
        # There is output only if the server's output is a pipe.
        sys.exit(f"the server did not start, and ended with {server.returncode}: {server.communicate()[0] or hint}")
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def accepted_in(folder):
    # The last line may be incomplete, because wrk can be stopped while it writes.
    lines = [line for file in folder.glob("accepted-*") for line in file.read_text().splitlines(keepends=True)]
    return {int(line) for line in lines if line.endswith("\n")}
