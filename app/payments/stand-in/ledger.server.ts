import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { now } from "../../platform/clock.ts";

export type Fields = Record<string, string>;

/** The values of PayU's `unmappedstatus` that the stand-in uses. */
export type Unmapped =
  | "initiated"
  | "pending"
  | "captured"
  | "failed"
  | "userCancelled"
  | "dropped";

/** One attempt to pay for a transaction. After a failed attempt, there may be another. */
export type Attempt = {
  /** PayU's id of this attempt. */
  mihpayid: string;
  txnid: string;
  /** The form as the merchant's page posted it. */
  request: Fields;
  unmapped: Unmapped;
  /** PayU's own charges in rupees: "10.00", or an empty text. */
  charges: string;
  startedAt: Date;
};

/** The ways `verify_payment` answers: correctly, not at all, or differently from the notice. */
const verifyModes = ["normal", "unreachable", "disagree", "wrong amount"] as const;
export type VerifyMode = (typeof verifyModes)[number];

/**
 * The results of a refund: settled later, failed later, refused immediately, accepted with a lost answer, or never
 * received.
 */
const refundModes = ["normal", "failure", "refused", "lost answer", "lost call"] as const;
export type RefundMode = (typeof refundModes)[number];

export type Refund = {
  /** The merchant's own id. Each token is accepted once. */
  token: string;
  requestId: string;
  mihpayid: string;
  /** In rupees, as the merchant sent it. */
  amount: string;
  status: "queued" | "success" | "failure";
};

type Ending = { status: "success" | "failure" | "pending"; error: string; message: string };

/** PayU's status, error code and message for each `unmappedstatus`. */
export const endings: Record<Unmapped, Ending> = {
  initiated: { status: "pending", error: "E000", message: "Transaction is initiated" },
  pending: { status: "pending", error: "E000", message: "Transaction is pending at the bank" },
  captured: { status: "success", error: "E000", message: "No Error" },
  failed: { status: "failure", error: "E501", message: "Bank failed to authenticate the customer" },
  userCancelled: {
    status: "failure",
    error: "E1605",
    message: "Transaction failed due to customer pressing cancel button.",
  },
  dropped: {
    status: "failure",
    error: "E1903",
    message: "Transaction was dropped by the customer",
  },
};

/** True for a value of PayU's `unmappedstatus`. */
export function isUnmapped(text: string | undefined): text is Unmapped {
  return text !== undefined && Object.hasOwn(endings, text);
}

/** True for a mode of `verify_payment`. */
export function isVerifyMode(text: unknown): text is VerifyMode {
  return verifyModes.some((mode) => mode === text);
}

export function isRefundMode(text: unknown): text is RefundMode {
  return refundModes.some((mode) => mode === text);
}

export type Notice = { id: number; mihpayid: string; body: string; dueAt: number; tries: number };
export type Ledger = ReturnType<typeof openLedger>;

const tables = `
  create table if not exists attempts (
    mihpayid text primary key, txnid text not null, request text not null,
    unmapped text not null, charges text not null, begun_at integer not null);
  create table if not exists notices (
    id integer primary key, mihpayid text not null, body text not null,
    due_at integer, tries integer not null default 0, answer text not null default 'not sent yet');
  create table if not exists switches (txnid text primary key, verify text not null);
  create table if not exists refunds (
    token text primary key, request_id text not null unique, mihpayid text not null,
    amount text not null, ends_as text not null, ends_at integer not null);
  create table if not exists refund_switches (txnid text primary key, mode text not null);
`;

/**
 * Opens PayU's records in an SQLite file, so that a killed process loses no payment and no unsent notice.
 */
export function openLedger(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const db = new DatabaseSync(file);
  db.exec(tables);
  const rows = <T>(sql: string, ...values: (string | number)[]) =>
    db.prepare(sql).all(...values) as T[];
  const change = (sql: string, ...values: (string | number | null)[]) =>
    Number(db.prepare(sql).run(...values).changes);

  return {
    close: () => db.close(),

    addAttempt(request: Fields): Attempt {
      const mihpayid = `403993${randomInt(1e11, 2e11)}`;
      const values = [mihpayid, request.txnid!, JSON.stringify(request), now().getTime()];
      change("insert into attempts values (?, ?, ?, 'initiated', '', ?)", ...values);
      return this.attempt(mihpayid)!;
    },

    attempt(mihpayid: string): Attempt | null {
      const attempts = rows<AttemptRow>("select * from attempts where mihpayid = ?", mihpayid);
      return attempts.map(readAttempt)[0] ?? null;
    },

    /** Returns the paid attempt of a transaction, or the latest if none is paid. */
    findTransaction(txnid: string): Attempt | null {
      const sql = `select * from attempts where txnid = ?
        order by unmapped = 'captured' desc, rowid desc limit 1`;
      return rows<AttemptRow>(sql, txnid).map(readAttempt)[0] ?? null;
    },

    latestAttempts(): Attempt[] {
      const sql = "select * from attempts order by rowid desc limit 100";
      return rows<AttemptRow>(sql).map(readAttempt);
    },

    /** Returns false if the attempt is not in one of the states `from`, or if its transaction is paid. */
    move(mihpayid: string, from: Unmapped[], to: Unmapped, charges: string | null = null): boolean {
      const sql = `update attempts set unmapped = ?, charges = coalesce(?, charges)
        where mihpayid = ? and unmapped in (select value from json_each(?)) and not exists
          (select 1 from attempts paid where paid.txnid = attempts.txnid and paid.unmapped = 'captured')`;
      return change(sql, to, charges, mihpayid, JSON.stringify(from)) === 1;
    },

    addNotice(mihpayid: string, body: string, dueAt: number): Notice {
      const sql = "insert into notices (mihpayid, body, due_at) values (?, ?, ?)";
      const { lastInsertRowid } = db.prepare(sql).run(mihpayid, body, dueAt);
      return { id: Number(lastInsertRowid), mihpayid, body, dueAt, tries: 0 };
    },

    noticesToSend(): Notice[] {
      return rows<Notice>(
        "select id, mihpayid, body, due_at as dueAt, tries from notices where due_at is not null",
      );
    },

    /** Records the answer to a try. `dueAt` is null after the last one. */
    recordTry(id: number, answer: string, dueAt: number | null): void {
      const sql = "update notices set tries = tries + 1, answer = ?, due_at = ? where id = ?";
      change(sql, answer, dueAt, id);
    },

    noticeAnswers(mihpayid: string): string[] {
      const sql = "select answer from notices where mihpayid = ? order by id";
      return rows<{ answer: string }>(sql, mihpayid).map((notice) => notice.answer);
    },

    /** Sets how `verify_payment` answers for a transaction, or with "" for all others. */
    setVerifyMode(txnid: string, mode: VerifyMode): void {
      change("insert or replace into switches values (?, ?)", txnid, mode);
    },

    verifyMode(txnid: string): VerifyMode {
      const sql = "select verify from switches where txnid in (?, '') order by txnid desc limit 1";
      return rows<{ verify: VerifyMode }>(sql, txnid)[0]?.verify ?? "normal";
    },

    /** Accepts a refund that ends after `pause` milliseconds. Returns null if the token was used before. */
    addRefund(
      { token, mihpayid, amount }: Pick<Refund, "token" | "mihpayid" | "amount">,
      endsAs: "success" | "failure",
      pause: number,
    ): Refund | null {
      const requestId = String(randomInt(1e8, 1e9));
      const sql = "insert into refunds values (?, ?, ?, ?, ?, ?) on conflict (token) do nothing";
      const endsAt = now().getTime() + pause;
      if (change(sql, token, requestId, mihpayid, amount, endsAs, endsAt) === 0) return null;
      return { token, requestId, mihpayid, amount, status: "queued" };
    },

    /** Returns the refunds of a payment or of a request id, oldest first. */
    refundsOf(mihpayidOrRequest: string): Refund[] {
      const sql = `select token, request_id as requestId, mihpayid, amount,
          case when ends_at <= ? then ends_as else 'queued' end as status
        from refunds where ? in (mihpayid, request_id) order by rowid`;
      return rows<Refund>(sql, now().getTime(), mihpayidOrRequest);
    },

    /** Sets how the next refunds of a transaction end, or with "" those of all others. */
    setRefundMode(txnid: string, mode: RefundMode): void {
      change("insert or replace into refund_switches values (?, ?)", txnid, mode);
    },

    refundMode(txnid: string): RefundMode {
      const sql =
        "select mode from refund_switches where txnid in (?, '') order by txnid desc limit 1";
      return rows<{ mode: RefundMode }>(sql, txnid)[0]?.mode ?? "normal";
    },
  };
}

type AttemptRow = {
  mihpayid: string;
  txnid: string;
  request: string;
  unmapped: Unmapped;
  charges: string;
  begun_at: number;
};

function readAttempt(row: AttemptRow): Attempt {
  const { mihpayid, txnid, unmapped, charges } = row;
  const request = JSON.parse(row.request) as Fields;
  return { mihpayid, txnid, request, unmapped, charges, startedAt: new Date(row.begun_at) };
}
