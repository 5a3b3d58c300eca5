/** Keeps the room of text that is on its way, so that nothing jumps when it comes. */
export function Skeleton({ lines = 3, label = "Loading..." }: { lines?: number; label?: string }) {
  return (
    <output className="skeleton">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </output>
  );
}
