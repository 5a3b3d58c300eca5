import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * The result of a statement: it passes; it never reached the server; or it was done there and the answer was
 * lost.
 */
export type Fate = "pass" | "lost" | "done, and not told";

/** A statement on its way to the server. */
export type Asked = {
  text: string;
  /** The name under which the connection was opened. */
  asker: string;
};

export type DatabaseProxy = {
  /** Leads through the proxy to the database. */
  url: string;
  /** Refuses everybody as a server does that recovers from a crash. */
  setStarting(starting: boolean): void;
  /**
   * From the query with this number on (0 is the next), each fails with an error that repeats its values, as
   * PostgreSQL's errors can. Null lets them pass again.
   *
   * @returns how many were asked since the last call.
   */
  failFrom(number: number | null): number;
  /**
   * From this client's first statement that is not in `failed`, each of theirs fails the same way until it is
   * switched off. A statement is identified by its text and the one before it, so that the same text elsewhere
   * is another.
   *
   * @returns what lets them pass, and tells whether any failed.
   */
  failNext(failed: Set<string>, asker: string): () => boolean;
  /** Decides over each statement from now on; `then` is called once, when one is not to pass. */
  watch(decide: (asked: Asked) => Fate, then: () => void): void;
  /** Ends every connection, as a network does. @returns how many there were. */
  cut(): number;
  close(): void;
};

/** Stands between the product and its PostgreSQL. */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let starting = false;
  let asked = 0;
  let firstToFail: number | null = null;
  let failsNow: ((asked: Asked) => boolean) | null = null;
  let fateOf: (asked: Asked) => Fate = () => "pass";
  let whenLost = () => {};
  const isDoomed = (statement: Asked) => {
    asked += 1;
    return failsNow?.(statement) ?? (firstToFail !== null && asked > firstToFail);
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Messages are passed on one by one: each would wait for the one before to be acknowledged.
      socket.setNoDelay();
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    if (starting) client.once("data", () => client.end(startingUp));
    else
      relay(client, upstream, {
        isDoomed,
        fateOf: (asked) => fateOf(asked),
        whenLost: () => whenLost(),
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    setStarting(value) {
      starting = value;
      for (const socket of sockets) socket.destroy();
    },
    failFrom(number) {
      const before = asked;
      asked = 0;
      firstToFail = number;
      return before;
    },
    failNext(failed, whose) {
      let before = "";
      let hasFailed = false;
      failsNow = ({ text, asker }) => {
        if (asker !== whose) return false;
        const place = `${before}\n${text}`;
        before = text;
        if (!hasFailed && failed.has(place)) return false;
        if (!hasFailed) failed.add(place);
        return (hasFailed = true);
      };
      return () => {
        failsNow = null;
        return hasFailed;
      };
    },
    watch(decide, then) {
      fateOf = (asked) => {
        const fate = decide(asked);
        if (fate === "pass") return fate;
        fateOf = () => "pass";
        return fate;
      };
      whenLost = then;
    },
    cut() {
      const open = [...sockets];
      for (const socket of open) socket.destroy();
      return open.length / 2;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Judge = {
  isDoomed(statement: Asked): boolean;
  fateOf(asked: Asked): Fate;
  whenLost(): void;
};

/** Passes on what both say, but for queries that are to fail, which get their answer here, or to be lost. */
function relay(client: Socket, upstream: Socket, judge: Judge): void {
  upstream.pipe(client);
  let rest = Buffer.alloc(0);
  let asker: string | null = null;
  let isLost = false;
  /** The messages of one query go on together. */
  let query: Buffer[] = [];
  client.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (!isLost) {
      // The first message has no letter in front of its length.
      const head = asker === null ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      if (asker === null) {
        asker = /application_name\0([^\0]*)/.exec(message.toString())?.[1] ?? "";
        upstream.write(message);
        continue;
      }
      query.push(message);
      const type = String.fromCharCode(message[0]!);
      if ("PBDEC".includes(type)) continue;
      const whole = Buffer.concat(query);
      query = [];
      if (type === "Q" || type === "S") take(whole, asker);
      else upstream.write(whole);
    }
  });

  function take(query: Buffer, asker: string): void {
    const text = query.toString("utf8").replaceAll("\0", " ");
    const begins = /^[QP]/.test(text) && !/^.{5}\s*rollback/s.test(text);
    if (begins && judge.isDoomed({ text: statementOf(query), asker })) {
      client.write(Buffer.concat([refusal(text), ready]));
      return;
    }
    const fate = judge.fateOf({ text, asker });
    if (fate !== "pass") {
      isLost = true;
      upstream.unpipe(client);
    }
    if (fate === "lost") return judge.whenLost();
    if (fate === "done, and not told") onceAnswered(upstream, judge.whenLost);
    upstream.write(query);
  }
}

/** Returns the text without its values: a parsed statement has its name before its text. */
function statementOf(query: Buffer): string {
  const [first = "", second = ""] = query.toString("utf8", 5).split("\0");
  return query[0] === "P".charCodeAt(0) ? second : first;
}

/** The server ends each answer by saying that it is ready for more. */
function onceAnswered(upstream: Socket, then: () => void): void {
  let last = Buffer.alloc(0);
  upstream.on("data", function read(chunk: Buffer) {
    last = Buffer.concat([last, chunk]).subarray(-6);
    if (!/^Z\0\0\0\x05[ITE]$/.test(last.toString("latin1"))) return;
    upstream.off("data", read);
    then();
  });
  // To have been unpiped has paused it.
  upstream.resume();
}

function refusal(values: string): Buffer {
  return errorMessage({
    S: "ERROR",
    V: "ERROR",
    C: "22P02",
    M: `invalid input syntax for type json: "${values}"`,
    D: `Key (token)=(${values}) already exists.`,
    H: `Perhaps you meant "${values}".`,
    W: `unnamed portal parameter $1 = '${values}'`,
    q: values,
  });
}

const startingUp = errorMessage({
  S: "FATAL",
  V: "FATAL",
  C: "57P03",
  M: "the database system is starting up",
});
const ready = Buffer.from("Z\0\0\0\u0005I", "latin1");

function errorMessage(fields: Record<string, string>): Buffer {
  const written = Object.entries(fields).map(([name, value]) => `${name}${value}\0`);
  const body = Buffer.from(`${written.join("")}\0`);
  const head = Buffer.from("E\0\0\0\0", "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
