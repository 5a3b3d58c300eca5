import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type DatabaseProxy = {
  /** Leads through the proxy to the database. */
  url: string;
  /** Refuses everybody as a server does that recovers from a crash. */
  setStarting(starting: boolean): void;
  /**
   * From the query with this number on (0 is the next), each fails with an error that repeats the values
   * it was asked with wherever PostgreSQL's errors do. Null lets them pass again.
   *
   * @returns how many were asked since the last call.
   */
  failFrom(number: number | null): number;
  close(): void;
};

/** Stands between the product and its PostgreSQL. */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let starting = false;
  let asked = 0;
  let firstToFail: number | null = null;
  const isDoomed = () => {
    asked += 1;
    return firstToFail !== null && asked > firstToFail;
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
    else relay(client, upstream, isDoomed);
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
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Passes on what both say, but for queries that are to fail: these get their answer here. */
function relay(client: Socket, upstream: Socket, isDoomed: () => boolean): void {
  upstream.pipe(client);
  let rest = Buffer.alloc(0);
  let isStarted = false;
  let values: string | null = null;
  client.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      // The first message has no letter in front of its length.
      const head = isStarted ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      const type = isStarted ? String.fromCharCode(message[0]!) : "";
      isStarted = true;
      rest = rest.subarray(end);
      const text = message.toString("utf8").replaceAll("\0", " ");
      const begins = type === "Q" || type === "P";
      if (begins && !/^.{5}\s*rollback/s.test(text) && isDoomed()) values = "";
      if (values === null) {
        upstream.write(message);
        continue;
      }
      values += text;
      if (type !== "Q" && type !== "S") continue;
      client.write(Buffer.concat([refusal(values), ready]));
      values = null;
    }
  });
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
