import { connect, createServer, type Socket } from "node:net";
import { listenOn } from "./http.ts";

/**
 * The fate of a statement: it passes, it never reaches the server, or the server runs it and its answer is lost.
 */
export type Fate = "pass" | "lost" | "committed, but not answered";

/** A statement on its way to the server. */
export type Asked = {
  text: string;
  /** The application name of the connection. */
  asker: string;
};

export type DatabaseProxy = {
  /** The database's URL through the proxy. */
  url: string;
  /** Refuses connections like a server that recovers from a crash. */
  setStarting(starting: boolean): void;
  /**
   * Makes every query fail from this number on (0 is the next), with an error that repeats its values, as
   * PostgreSQL's errors can. Null lets queries pass again.
   *
   * @returns the number of queries since the last call
   */
  failFrom(number: number | null): number;
  /**
   * Makes this client's statements fail the same way, starting with the first that is not in `failed`. A statement
   * is identified by its text and the one before it, to tell repeated texts apart.
   *
   * @returns a function that lets statements pass again, and returns whether any failed
   */
  failNext(failed: Set<string>, asker: string): () => boolean;
  /** Decides the fate of each statement. `then` is called once, for the first that does not pass. */
  watch(decide: (asked: Asked) => Fate, then: () => void): void;
  /** Cuts every connection, as a network failure does. @returns their number */
  cut(): number;
  close(): void;
};

/** Starts a proxy between the product and its PostgreSQL. */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let starting = false;
  let count = 0;
  let firstToFail: number | null = null;
  let isFailing: ((asked: Asked) => boolean) | null = null;
  let decideFate: (asked: Asked) => Fate = () => "pass";
  let whenLost = () => {};
  const isDoomed = (statement: Asked) => {
    count += 1;
    return isFailing?.(statement) ?? (firstToFail !== null && count > firstToFail);
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // Messages are sent one by one, and Nagle's algorithm would delay each.
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
        decideFate: (statement) => decideFate(statement),
        whenLost: () => whenLost(),
      });
  });
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(await listenOn(server));
  return {
    url: url.href,
    setStarting(value) {
      starting = value;
      for (const socket of sockets) socket.destroy();
    },
    failFrom(number) {
      const before = count;
      count = 0;
      firstToFail = number;
      return before;
    },
    failNext(failed, whose) {
      let before = "";
      let hasFailed = false;
      isFailing = ({ text, asker }) => {
        if (asker !== whose) return false;
        const place = `${before}\n${text}`;
        before = text;
        if (!hasFailed && failed.has(place)) return false;
        if (!hasFailed) failed.add(place);
        return (hasFailed = true);
      };
      return () => {
        isFailing = null;
        return hasFailed;
      };
    },
    watch(decide, then) {
      decideFate = (asked) => {
        const fate = decide(asked);
        if (fate === "pass") return fate;
        decideFate = () => "pass";
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
  decideFate(asked: Asked): Fate;
  whenLost(): void;
};

/** Relays both directions. Doomed queries are answered here, and lost ones are dropped. */
function relay(client: Socket, upstream: Socket, judge: Judge): void {
  upstream.pipe(client);
  let rest = Buffer.alloc(0);
  let asker: string | null = null;
  let isLost = false;
  /** The messages of one query, which are sent together. */
  let query: Buffer[] = [];
  client.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (!isLost) {
      // The first message has no type byte before its length.
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
    const fate = judge.decideFate({ text, asker });
    if (fate !== "pass") {
      isLost = true;
      upstream.unpipe(client);
    }
    if (fate === "lost") return judge.whenLost();
    if (fate === "committed, but not answered") onceAnswered(upstream, judge.whenLost);
    upstream.write(query);
  }
}

/** Returns the text without its values. A parsed statement has its name before its text. */
function statementOf(query: Buffer): string {
  const [first = "", second = ""] = query.toString("utf8", 5).split("\0");
  return query[0] === "P".charCodeAt(0) ? second : first;
}

/** Calls `then` at ReadyForQuery, which ends each answer of the server. */
function onceAnswered(upstream: Socket, then: () => void): void {
  let last = Buffer.alloc(0);
  upstream.on("data", function read(chunk: Buffer) {
    last = Buffer.concat([last, chunk]).subarray(-6);
    if (!/^Z\0\0\0\x05[ITE]$/.test(last.toString("latin1"))) return;
    upstream.off("data", read);
    then();
  });
  // `unpipe` has paused it.
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
  const encoded = Object.entries(fields).map(([name, value]) => `${name}${value}\0`);
  const body = Buffer.from(`${encoded.join("")}\0`);
  const head = Buffer.from("E\0\0\0\0", "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
