import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { composePassword, passwordCriteria } from "../rules.ts";
import * as styles from "./password-strength.module.css";

const meterColors = { Weak: styles.weak, Medium: styles.medium, Strong: styles.strong } as const;

/** The sign-up form's strength meter and its five criteria. An empty password has no label. */
export function SignUpStrength({ password }: { password: string }) {
  const percent = (countMetCriteria(password) / passwordCriteria.length) * 100;
  const label = percent < 40 ? "Weak" : percent < 70 ? "Medium" : "Strong";
  const visibleLabel = password === "" ? "" : label;
  return (
    <div className={styles.strength} aria-live="polite">
      <div>
        <div
          className={styles.bar}
          role="meter"
          aria-label="Password strength"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={visibleLabel || "Enter a password"}
        >
          <div className={meterColors[label]} style={{ width: `${percent}%` }} />
        </div>
        {/* Keeps the line of the label, so that nothing moves. */}
        <span className={`${styles.label} text-sm`}>{visibleLabel}</span>
      </div>
      <PasswordChecklist password={password} />
    </div>
  );
}

/**
 * Returns the content of a password field, including what was typed before hydration. Pass `field` to its
 * input.
 */
export function useTypedPassword() {
  const [password, setPassword] = useState("");
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => setPassword(ref.current!.value), []);
  const onChange = (event: ChangeEvent<HTMLInputElement>) => setPassword(event.target.value);
  return { password: composePassword(password), field: { ref, onChange } };
}

/** The reset form's strength meter: five segments and a label. */
export function ResetStrength({ password }: { password: string }) {
  const score = countMetCriteria(password);
  return (
    <div className={styles.strength} aria-live="polite">
      <div>
        <div
          className={styles.segments}
          role="meter"
          aria-label="Password strength"
          aria-valuemin={0}
          aria-valuemax={5}
          aria-valuenow={score}
          aria-valuetext={getResetStrengthLabel(score)}
        >
          {passwordCriteria.map(({ label }, segment) => (
            <span key={label} className={segment < score ? getSegmentColor(score) : undefined} />
          ))}
        </div>
        <span className="text-sm">{getResetStrengthLabel(score)}</span>
      </div>
      <PasswordChecklist password={password} />
    </div>
  );
}

const resetLabels = [
  "Enter a password",
  "Very Weak",
  "Weak",
  "Medium",
  "Strong",
  "Very Strong",
] as const;

/** Returns the reset meter's label for a score of 0 to 5. */
function getResetStrengthLabel(score: number): string {
  return resetLabels[score] ?? resetLabels[0];
}

function getSegmentColor(score: number) {
  return score <= 2 ? styles.weak : score === 3 ? styles.medium : styles.strong;
}

/** Counts how many of the five criteria a password meets. */
function countMetCriteria(password: string): number {
  return passwordCriteria.filter((criterion) => criterion.isMet(password)).length;
}

function PasswordChecklist({ password }: { password: string }) {
  return (
    <ul className={`${styles.criteria} text-sm`}>
      {passwordCriteria.map(({ label, isMet }) => {
        const met = isMet(password);
        return (
          <li key={label} className={met ? "text-success" : "text-ink-soft"}>
            <span aria-hidden="true">{met ? "✓" : "○"}</span> {label}
            <span className="sr-only">{met ? " (met)" : " (not met)"}</span>
          </li>
        );
      })}
    </ul>
  );
}
