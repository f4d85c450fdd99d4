"""Temporary PostgreSQL and NATS servers on free ports, which are stopped when the script ends."""
import asyncio, atexit, itertools, json, os, pathlib, shutil, signal, socket, subprocess, sys, threading, uuid

from harness import free_port, wait_until

# If the script is terminated, it stops the processes that it started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def connects(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


class Postgres:
    """Debian's PostgreSQL server, which doesn't run as root."""

    def __init__(self, folder):
        binaries = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not binaries:
            sys.exit("PostgreSQL is missing (postgresql)")
        self.control, self.folder, self.port = binaries[-1] / "pg_ctl", folder, free_port()
        folder.mkdir()
        self.user = {}
        if os.getuid() == 0:
            # The user `postgres` needs access to the parent folder.
            folder.parent.chmod(0o711)
            shutil.chown(folder, "postgres")
            self.user = {"user": "postgres", "group": "postgres", "extra_groups": []}
        self.run(binaries[-1] / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust")
        atexit.register(lambda: self.run(self.control, "-D", folder / "data", "-m", "immediate", "stop"))
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {folder}"
        self.run(self.control, "-D", folder / "data", "-w", "-l", folder / "log", "-o", options, "start")

    def run(self, *command):
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, **self.user)

    @property
    def parameters(self):
        return f"host=127.0.0.1 port={self.port} user=postgres dbname=postgres"


class Proxy:
    """Distributes connections among servers in turn, and skips servers that don't accept any."""

    def __init__(self, ports):
        self.ports, self.turns, self.port = ports, itertools.cycle(ports), free_port()
        threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True).start()
        wait_until(lambda: connects(self.port), "the proxy")

    async def serve(self):
        server = await asyncio.start_server(self.accept, "127.0.0.1", self.port)
        await server.serve_forever()

    async def accept(self, client, to_client):
        for _ in self.ports:
            try:
                server, to_server = await asyncio.open_connection("127.0.0.1", next(self.turns))
            except OSError:
                continue
            await asyncio.gather(self.copy(client, to_server), self.copy(server, to_client))
            return
        to_client.close()

    async def copy(self, source, target):
        try:
            while data := await source.read(65536):
                target.write(data)
                await target.drain()
        except OSError:
            pass
        target.close()


class NATS:
    """A server with JetStream, whose files are kept when it is restarted."""

    def __init__(self, folder):
        if not shutil.which("nats-server"):
            sys.exit("NATS is missing (nats-server)")
        self.folder, self.port = folder, free_port()
        self.start()
        atexit.register(lambda: self.process.kill())

    def start(self):
        self.process = subprocess.Popen(
            ["nats-server", "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", self.folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: connects(self.port), "the NATS server")

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def address(self):
        return f"nats://127.0.0.1:{self.port}"

    def messages(self, stream):
        """Returns the identity and the body of each message in a stream, using the NATS protocol."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection, connection.makefile("rb") as lines:
            def send(text):
                connection.sendall(text.encode())

            def ask(subject, question):
                text = json.dumps(question)
                send(f"PUB {subject} answers {len(text)}\r\n{text}\r\n")

            def message():
                while not (line := lines.readline().split())[0].endswith(b"MSG"):
                    if line[0] == b"PING":
                        send("PONG\r\n")
                    elif line[0] == b"-ERR":
                        sys.exit(f"NATS reported {line}")
                size, headers = int(line[-1]), int(line[-2]) if line[0] == b"HMSG" else 0
                content = lines.read(size + 2)[:size]
                return content[:headers].decode(), content[headers:]

            # The server keeps a consumer for a while, even across a restart, so each consumer has its own subject.
            stored = f"stored.{uuid.uuid4()}"
            send(f'CONNECT {{"verbose":false,"headers":true}}\r\nSUB answers 1\r\nSUB {stored} 2\r\n')
            ask(f"$JS.API.STREAM.INFO.{stream}", {})
            count = json.loads(message()[1])["state"]["messages"]
            consumer = {"deliver_subject": stored, "ack_policy": "none", "deliver_policy": "all"}
            ask(f"$JS.API.CONSUMER.CREATE.{stream}", {"stream_name": stream, "config": consumer})
            found = []
            while len(found) < count:
                headers, body = message()
                # The reply that confirms the new consumer arrives among the messages, and has no headers.
                if headers:
                    identity = next(line for line in headers.splitlines() if line.lower().startswith("nats-msg-id:"))
                    found.append((identity.split(":", 1)[1].strip(), json.loads(body)))
            return found
