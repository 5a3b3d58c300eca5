/** Says that nothing here is real, and leads to the people to sign in as and to their mail. */
export function DemoBar({ actingAs }: { actingAs: string | null }) {
  return (
    <aside className="demo-bar" aria-label="Demo">
      <span>
        <strong>Demo</strong> No money moves, mail is captured.
        {actingAs && <span className="on-wide-inline"> You are {actingAs}.</span>}
      </span>
      {/* Not a screen of the router: the stand-ins draw their own pages. */}
      <a href="/demo">People and mailbox</a>
    </aside>
  );
}
