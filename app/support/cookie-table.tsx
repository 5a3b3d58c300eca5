import { type Column, Table } from "../ui/list/table.tsx";

type Cookie = { name: string; does: string; lasts: string };

const cookies: Cookie[] = [
  {
    name: "session",
    does: "Knows that you are signed in",
    lasts: "30 days after last use, 90 days at most",
  },
  {
    name: "known-device",
    does: "Keeps those who guess at your password elsewhere from locking you out here",
    lasts: "A year after you last signed in",
  },
  { name: "theme", does: "Remembers light or dark, once you chose", lasts: "A year" },
  { name: "toasts", does: "Carries a message to the next page", lasts: "A minute" },
  { name: "held-form", does: "Finds what you typed before your session ended", lasts: "An hour" },
  { name: "leaving", does: "Signs you out although the server was out of reach", lasts: "30 days" },
  { name: "side-menu", does: "For staff: whether their menu is folded", lasts: "7 days" },
];

const columns: Column<Cookie>[] = [
  { header: "Cookie", cell: ({ name }) => name },
  { header: "What it does", cell: ({ does }) => does },
  { header: "How long it lasts", cell: ({ lasts }) => lasts },
];

export function CookieTable() {
  return <Table caption="Cookies" columns={columns} rows={cookies} rowKey={({ name }) => name} />;
}
