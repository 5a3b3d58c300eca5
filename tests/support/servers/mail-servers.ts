import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

/** The answer of a mail server to one recipient: null takes the mail. */
type Answer = { code: number; words: string } | null;

/**
 * A mail server on this computer, until the test is done, or whatever else it is for.
 *
 * @param answer says what becomes of a mail to an address
 * @param taking waits before the server says that it has the mail
 * @param until is told how to end it
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
  // A client that goes away in the middle is what some tests are about.
  server.on("error", () => {});
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  until(() => new Promise<void>((done) => server.close(done)));
  return { url: urlOf(server.server), received };
}

/** Starts a scripted server: `talk` is called with each connection. Ends with the test. */
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

/** Takes every command until the text begins, then leaves the rest to `inData`. */
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
