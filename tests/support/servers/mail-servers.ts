import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

/** A mail server's refusal of a recipient; null accepts the mail. */
type Answer = { code: number; words: string } | null;

/**
 * Starts a local mail server until the test ends.
 *
 * @param answer accepts or refuses an address
 * @param taking delays the confirmation of a mail
 * @param until registers the function that stops the server
 */
export async function mailServer({
  answer = () => null,
  taking = async () => {},
  until = onTestFinished,
}: {
  answer?: (address: string) => Answer;
  taking?: (mail: string) => Promise<void>;
  until?: (end: () => Promise<void>) => void;
} = {}) {
  const received: string[] = [];
  const options: SMTPServerOptions = {
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      const refusal = answer(address);
      done(refusal && Object.assign(new Error(refusal.words), { responseCode: refusal.code }));
    },
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
      stream.on("end", () => {
        void taking(text).then(() => {
          received.push(text);
          done();
        });
      });
    },
  };
  const server = new SMTPServer(options);
  // Some tests disconnect during a mail.
  server.on("error", () => {});
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  until(() => new Promise<void>((done) => server.close(done)));
  return { url: urlOf(server.server), received };
}

/** Starts a scripted server until the test ends. `talk` gets each connection. */
export async function oddMailServer(talk: (socket: Socket) => void): Promise<{ url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    talk(socket);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: urlOf(server) };
}

/** Accepts every command until DATA, then passes the connection to `inData`. */
export function untilData(inData: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    socket.write("220 mail.example.com\r\n");
    socket.on("data", (chunk: Buffer) => {
      const text = chunk.toString();
      if (/^EHLO/i.test(text)) socket.write("250 mail.example.com\r\n");
      else if (/^DATA/i.test(text)) {
        socket.removeAllListeners("data");
        socket.write("354 Go on\r\n");
        inData(socket);
      } else socket.write("250 Well\r\n");
    });
  };
}

function urlOf(server: Server): string {
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("The mail server does not listen.");
  return `smtp://127.0.0.1:${address.port}`;
}
