import { Link } from "react-router";

const screens = [
  {
    to: "/admin/reviewers",
    label: "Reviewers",
    about: "How useful and how fast their reviews are",
  },
  { to: "/admin/messages", label: "Messages to us", about: "Read and answer what people wrote" },
  { to: "/admin/mail", label: "Mail", about: "What waits, what failed, what has left" },
  { to: "/admin/orders", label: "Orders", about: "Every payment, what became of it, and refunds" },
  {
    to: "/admin/payments",
    label: "Payments to look into",
    about: "Those that time alone does not settle",
  },
  { to: "/admin/history", label: "History of what staff did", about: "Who did what, and when" },
  { to: "/admin/product", label: "The product", about: "What runs, what waits, how it is set" },
];

/** The way to the screens that the side menu has no entry for. */
export function AdminLinks() {
  return (
    <nav className="admin-links" aria-label="More of the admin's screens">
      <ul>
        {screens.map(({ to, label, about }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
            <p>{about}</p>
          </li>
        ))}
      </ul>
    </nav>
  );
}
