import { useState } from "react";

/** Counts what succeeded while a screen is open: its own form's answers, and what is told. */
export function useSuccesses(answer: unknown): [number, () => void] {
  const [seen, setSeen] = useState(answer);
  const [count, setCount] = useState(0);
  if (seen !== answer) {
    setSeen(answer);
    if (isDone(answer)) setCount(count + 1);
  }
  return [count, () => setCount((before) => before + 1)];
}

/** Whether an action's answer says that it was done. */
export function isDone(answer: unknown): boolean {
  return Boolean(answer && typeof answer === "object" && "ok" in answer);
}
