#!/usr/bin/env python3
"""Disturbs programs that share a durable observer, and counts notifications that are lost, repeated or out of order.

    Tests/OutboxProbe/trials.py PROBE [ROUNDS] [--only TRIAL] [--workers 1,4]
    Tests/OutboxProbe/trials.py PROBE --idle
    Tests/OutboxProbe/trials.py PROBE --throughput

PROBE is the program OutboxProbe of a build with all traits. The script starts its own PostgreSQL server. Each trial causes one kind of trouble,
once in each round, and stores orders while two or three programs run the same observer. At the end, each committed order must have had its effect
once, and the effects for each customer must be in the order in which the customer's orders were stored. Otherwise, the script exits with 1. In the
trials `later` and `sqlite later`, the programs themselves post orders that are due after 1 to 5 s, and cancel some of them. No effect may be
stored before its order is due, and a cancelled order may have no effect.
"""
import argparse
import collections
import glob
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("probe")
arguments.add_argument("rounds", nargs="?", type=int, default=20)
arguments.add_argument("--only", default="")
arguments.add_argument("--workers", default="1,4")
arguments.add_argument("--idle", action="store_true")
arguments.add_argument("--throughput", action="store_true")
arguments.add_argument("--long", action="store_true", help="programs are stopped for 20 s, and leases last 5 s")
options = arguments.parse_args()
folder = tempfile.mkdtemp(prefix="trials-")
lease, stopped = ("5", 20) if options.long else ("1", 2.5)
random.seed(7)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    """A PostgreSQL server on a free port."""

    def __init__(self):
        self.binaries = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.folder = f"{folder}/postgres"
        os.mkdir(self.folder)
        os.chmod(folder, 0o755)
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.user:
            shutil.chown(self.folder, "postgres")
        self.port = free_port()
        self.control("initdb", "-D", f"{self.folder}/data", "-U", "postgres", "-A", "trust")
        settings = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -c max_connections=200"
        self.control("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "-o", settings, "start")

    def control(self, *command):
        subprocess.run([*self.user, f"{self.binaries}/{command[0]}", *command[1:]], check=True, cwd=self.folder,
                       stdout=subprocess.DEVNULL)

    def restart(self):
        self.control("pg_ctl", "-D", f"{self.folder}/data", "-w", "-m", "immediate", "-l", f"{self.folder}/log", "restart")

    def stop(self):
        self.control("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "stop")

    def run(self, database, sql):
        """Runs statements, and returns the rows, or None if a statement failed. The statements before it may have been committed."""
        result = subprocess.run(
            [f"{self.binaries}/psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", database, "-qAtX",
             "-v", "ON_ERROR_STOP=1"], input=sql, capture_output=True, text=True)
        return None if result.returncode else [line.split("|") for line in result.stdout.splitlines()]

    def ask(self, database, sql):
        end = time.monotonic() + 60
        while (rows := self.run(database, sql)) is None:
            if time.monotonic() > end:
                raise SystemExit(f"PostgreSQL hasn't answered within 60 s: {sql}")
            time.sleep(0.1)
        return rows


class InPostgres:
    kind = "postgres"
    number = 0

    def __init__(self, server, schemas=(None,)):
        InPostgres.number += 1
        self.server, self.name, self.schemas = server, f"trial{InPostgres.number}", schemas
        server.ask("postgres", f"CREATE DATABASE {self.name};")
        self.place = f"host=127.0.0.1 port={server.port} user=postgres dbname={self.name} connect_timeout=3"
        self.posted = collections.Counter()

    def prefix(self, schema):
        return f'"{schema}".' if schema else ""

    def prepare(self, schema):
        p = self.prefix(schema)
        self.server.ask(self.name, (f'CREATE SCHEMA IF NOT EXISTS "{schema}";' if schema else "") + f"""
            CREATE TABLE IF NOT EXISTS {p}orders(
                number bigint PRIMARY KEY, customer text, due bigint, cancelled integer NOT NULL DEFAULT 0);
            CREATE TABLE IF NOT EXISTS {p}effects(
                id bigserial PRIMARY KEY, number bigint NOT NULL, program text,
                at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);""")

    def numbers(self, sql):
        return [tuple(map(int, row)) for row in self.server.ask(self.name, sql)]

    def post(self, count, schema):
        p, statements = self.prefix(schema), []
        for _ in range(count):
            self.posted[schema] += 1
            number = self.posted[schema]
            customer = number * 7919 % 10
            statements.append(f"""BEGIN; INSERT INTO {p}orders(number, customer) VALUES({number}, '{customer}');
                INSERT INTO {p}tidings_outbox(name, version, encoding, body)
                VALUES('test.placed', 1, 0, '{{"number":{number},"customer":"{customer}"}}'); {"ROLLBACK" if number % 9 == 0 else "COMMIT"};""")
        self.server.run(self.name, "\n".join(statements))

    def state(self, schema):
        p = self.prefix(schema)
        orders = {int(n): c for n, c in self.server.ask(self.name, f"SELECT number, customer FROM {p}orders")}
        effects = [int(row[0]) for row in self.server.ask(self.name, f"SELECT number FROM {p}effects ORDER BY id")]
        return orders, effects

    def is_done(self, schema):
        p = self.prefix(schema)
        counts = self.server.ask(
            self.name, f"SELECT (SELECT count(*) FROM {p}orders), (SELECT count(DISTINCT number) FROM {p}effects)")
        return counts[0][0] == counts[0][1]


class InSQLite:
    kind = "sqlite"
    schemas = (None,)

    def __init__(self):
        self.place = f"{tempfile.mkdtemp(dir=folder)}/shop.sqlite"
        self.posted = 0
        self.database = sqlite3.connect(self.place, timeout=60, isolation_level=None)
        self.database.execute("PRAGMA journal_mode = WAL")

    def prepare(self, _):
        self.database.executescript("""
            CREATE TABLE IF NOT EXISTS orders(
                number INTEGER PRIMARY KEY, customer TEXT, due INTEGER, cancelled INTEGER NOT NULL DEFAULT 0);
            CREATE TABLE IF NOT EXISTS effects(
                id INTEGER PRIMARY KEY AUTOINCREMENT, number INTEGER, program TEXT,
                at INTEGER NOT NULL DEFAULT (CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)));""")

    def numbers(self, sql):
        return self.database.execute(sql).fetchall()

    def post(self, count, _):
        for _ in range(count):
            self.posted += 1
            number, customer = self.posted, self.posted * 7919 % 10
            self.database.execute("BEGIN IMMEDIATE")
            self.database.execute("INSERT INTO orders(number, customer) VALUES(?, ?)", (number, customer))
            self.database.execute(
                "INSERT INTO tidings_outbox(name, version, body, at) VALUES('test.placed', 1, CAST(? AS BLOB), ?)",
                (f'{{"number":{number},"customer":"{customer}"}}', int(time.time() * 1000)))
            self.database.execute("ROLLBACK" if number % 9 == 0 else "COMMIT")

    def state(self, _):
        orders = dict(self.database.execute("SELECT number, customer FROM orders"))
        return orders, [row[0] for row in self.database.execute("SELECT number FROM effects ORDER BY id")]

    def is_done(self, _):
        one = lambda sql: self.database.execute(sql).fetchone()[0]
        return one("SELECT count(*) FROM orders") == one("SELECT count(DISTINCT number) FROM effects")


class Program:
    """A running OutboxProbe."""
    number = 0

    def __init__(self, database, schema=None, place=None, **settings):
        Program.number += 1
        self.schema, self.path = schema, f"{folder}/output{Program.number}"
        settings = {"lease": lease, "timeout": 2, **settings, **({"schema": schema} if schema else {})}
        with open(self.path, "w") as output:
            self.process = subprocess.Popen(
                [options.probe, f"{Program.number}", database.kind, place or database.place,
                 *(f"{name}={value}" for name, value in settings.items())], stdout=output, stderr=subprocess.DEVNULL)

    def lines(self):
        with open(self.path) as output:
            return output.read().splitlines()

    def wait_until_ready(self):
        end = time.monotonic() + 60
        while "ready" not in self.lines():
            if time.monotonic() > end:
                raise SystemExit(f"a program isn't ready within 60 s: {self.lines()}")
            if self.process.poll() is not None:
                raise SystemExit(f"a program has ended: {self.lines()}")
            time.sleep(0.05)
        return self

    def kill(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()


class Proxy:
    """A TCP proxy in a separate process, so that a signal can freeze the proxy alone."""

    def __init__(self, port):
        self.port = free_port()
        code = f"""
import socket, threading
def copy(a, b):
    try:
        while data := a.recv(65536): b.sendall(data)
    except OSError: pass
    for s in (a, b):
        try: s.shutdown(2)
        except OSError: pass
listener = socket.create_server(("127.0.0.1", {self.port}))
while True:
    client, _ = listener.accept()
    try: server = socket.create_connection(("127.0.0.1", {port}))
    except OSError: client.close(); continue
    for pair in ((client, server), (server, client)): threading.Thread(target=copy, args=pair, daemon=True).start()
"""
        self.process = subprocess.Popen([sys.executable, "-c", code])
        time.sleep(0.5)


def trial(name, workers, server):
    """Causes one kind of trouble repeatedly, and returns the counts."""
    settings = {"partitions": workers} if workers > 1 else {}
    if name == "sqlite kill":
        database = InSQLite()
    else:
        database = InPostgres(server, ("one", "two") if name == "two schemas" else (None,))
    for schema in database.schemas:
        database.prepare(schema)
    proxy = Proxy(server.port) if name == "frozen proxy" else None
    through = database.place.replace(f"port={server.port}", f"port={proxy.port}") if proxy else None
    running, ended = [], []

    def start(schema, place=None):
        running.append(Program(database, schema, place, **settings).wait_until_ready())

    for schema in database.schemas:
        for index in range(2 if database.kind == "sqlite" or len(database.schemas) > 1 else 3):
            start(schema, through if index == 0 else None)
    troubles = 0
    for number in range(options.rounds):
        for schema in database.schemas:
            database.post(random.randint(5, 30), schema)
        if name in ("kill", "sqlite kill", "two schemas"):
            time.sleep(random.random() * 0.1)
            victim = running.pop(random.randrange(len(running)))
            victim.kill()
            ended.append(victim)
            for schema in database.schemas:
                database.post(random.randint(5, 20), schema)
            start(victim.schema)
        elif name == "stop":
            victim = random.choice(running)
            victim.process.send_signal(signal.SIGSTOP)
            database.post(20, None)
            time.sleep(stopped)
            victim.process.send_signal(signal.SIGCONT)
            database.post(20, None)
        elif name == "cut":
            server.run(database.name, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
                       f"'{database.name}' AND pid <> pg_backend_pid() AND random() < 0.7")
            database.post(20, None)
        elif name == "restart":
            server.restart()
            database.post(20, None)
        elif name == "frozen proxy":
            proxy.process.send_signal(signal.SIGSTOP)
            database.post(20, None)
            time.sleep(stopped)
            proxy.process.send_signal(signal.SIGCONT)
            database.post(20, None)
        troubles += 1
    end = time.time() + 120
    while not all(database.is_done(schema) for schema in database.schemas) and time.time() < end:
        time.sleep(0.2)
    for program in running:
        program.kill()
    if proxy:
        proxy.process.kill()
    counts = collections.Counter(troubles=troubles)
    for schema in database.schemas:
        orders, effects = database.state(schema)
        done = collections.Counter(effects)
        counts["orders"] += len(orders)
        counts["lost"] += len(set(orders) - set(done))
        counts["rolled back"] += len(set(done) - set(orders))
        counts["twice"] += sum(count - 1 for count in done.values())
        last = {}
        for number in effects:
            customer = orders.get(number)
            counts["out of order"] += number < last.get(customer, 0)
            last[customer] = max(number, last.get(customer, 0))
        calls, firsts = collections.Counter(), collections.Counter()
        for program in running + ended:
            if program.schema != schema:
                continue
            for words in map(str.split, program.lines()):
                if words[:1] == ["call"] and len(words) == 3:
                    calls[words[1]] += 1
                    firsts[words[1]] += words[2] == "first"
        counts["repeated"] += sum(count - 1 for count in calls.values())
        counts["unmarked"] += sum(max(0, count - 1) for count in firsts.values())
    return counts


def later(name, workers, server):
    """Kills programs that schedule orders, and returns the counts."""
    database = InSQLite() if name.startswith("sqlite") else InPostgres(server)
    database.prepare(None)
    settings = {"partitions": workers} if workers > 1 else {}
    start = lambda **more: Program(database, **settings, **more).wait_until_ready()
    post = lambda: start(later=Program.number * 1_000_000)
    running = [post() for _ in range(3)]
    for _ in range(options.rounds):
        time.sleep(random.random() * 3)
        running.pop(random.randrange(len(running))).kill()
        running.append(post())
    # A last program handles the remaining orders, and posts nothing.
    for program in running:
        program.kill()
    last = start()
    left = "SELECT count(*) FROM orders WHERE cancelled = 0 AND number NOT IN (SELECT number FROM effects)"
    end = time.time() + 120
    while database.numbers(left) != [(0,)] and time.time() < end:
        time.sleep(0.2)
    # Within this time, the cancelled orders would have become due.
    time.sleep(6)
    last.kill()
    orders = {number: (due, cancelled) for number, due, cancelled in database.numbers("SELECT number, due, cancelled FROM orders")}
    effects = database.numbers("SELECT number, at FROM effects")
    done = {number for number, _ in effects}
    cancelled = {number for number, (_, is_cancelled) in orders.items() if is_cancelled}
    return {
        "troubles": options.rounds, "orders": len(orders), "cancelled": len(cancelled), "lost": len(orders.keys() - cancelled - done),
        "twice": len(effects) - len(done), "rolled back": len(done - orders.keys()), "received though cancelled": len(done & cancelled),
        "early": sum(at < orders[number][0] for number, at in effects if number in orders)}


def trials():
    server = Server()
    columns = ["troubles", "orders", "lost", "twice", "rolled back", "out of order", "repeated", "unmarked"]
    print(f"| trouble | workers | {' | '.join(columns)} |\n|---|---|{'---|' * len(columns)}", flush=True)
    wrong = 0
    try:
        for name in ("kill", "stop", "cut", "restart", "frozen proxy", "two schemas", "sqlite kill"):
            if options.only and options.only != name:
                continue
            for workers in map(int, options.workers.split(",")):
                counts = trial(name, workers, server)
                print(f"| {name} | {workers} | {' | '.join(str(counts[column]) for column in columns)} |", flush=True)
                wrong += sum(counts[column] for column in ("lost", "twice", "rolled back", "out of order"))
        wanted = [name for name in ("later", "sqlite later") if options.only in ("", name)]
        for name in wanted:
            for workers in map(int, options.workers.split(",")):
                counts = later(name, workers, server)
                print(f"{name}, {workers} workers: {', '.join(f'{name} {count}' for name, count in counts.items())}", flush=True)
                wrong += sum(counts[count] for count in ("lost", "twice", "rolled back", "received though cancelled", "early"))
    finally:
        server.stop()
    return wrong


def idle():
    server = Server()
    try:
        print("| observers | partitions | alone, transactions a second | standby, transactions a second |\n|---|---|---|---|")
        for observers, partitions in ((1, 0), (200, 0), (1, 4), (50, 4)):
            database = InPostgres(server)
            database.prepare(None)
            total = lambda: int(server.ask("postgres", f"SELECT xact_commit FROM pg_stat_database WHERE datname = '{database.name}'")[0][0])
            rates, programs = [], []
            for _ in range(2):
                programs.append(Program(database, idle=observers, partitions=partitions, lease=3, timeout=10).wait_until_ready())
                time.sleep(15)
                before = total()
                time.sleep(30)
                rates.append((total() - before) / 30)
            print(f"| {observers} | {partitions} | {rates[0]:.1f} | {rates[1] - rates[0]:.1f} |", flush=True)
            for program in programs:
                program.kill()
    finally:
        server.stop()


def throughput():
    server = Server()
    try:
        print("| workers | programs | handled a second | times one |\n|---|---|---|---|")
        first = None
        for workers, count in ((1, 1), (4, 1), (4, 2), (4, 4), (8, 1)):
            database = InPostgres(server)
            database.prepare(None)
            warm = Program(database, partitions=workers, pause=5).wait_until_ready()
            time.sleep(2)
            warm.kill()
            server.ask(database.name, """INSERT INTO tidings_outbox(name, version, encoding, body)
                SELECT 'test.placed', 1, 0, '{"number":' || i || ',"customer":"' || i || '"}' FROM generate_series(1, 6000) i;""")
            programs = [Program(database, partitions=workers, pause=5).wait_until_ready() for _ in range(count)]
            time.sleep(5 + 5 * count)
            times = []
            for program in programs:
                times += [int(line.split()[2]) for line in program.lines() if line.startswith("done ")]
                program.kill()
            # Only the last four seconds count, in which all programs run.
            end = max(times)
            rate = sum(end - 4000 <= moment < end for moment in times) / 4
            first = first or rate
            print(f"| {workers} | {count} | {rate:.0f} | {rate / first:.2f} |", flush=True)
    finally:
        server.stop()


try:
    if options.idle:
        idle()
    elif options.throughput:
        throughput()
    elif trials():
        sys.exit(1)
finally:
    shutil.rmtree(folder, ignore_errors=True)
