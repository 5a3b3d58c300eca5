import { Link } from "react-router";

/** To what staff did to one thing. */
export function HistoryLink({ type, id }: { type: "review" | "user"; id: string }) {
  return <Link to={`/admin/history?${new URLSearchParams({ type, id }).toString()}`}>History</Link>;
}
