import { Fragment, useId, useState } from "react";
import { createPortal } from "react-dom";
import { Dialog } from "../../ui/feedback/dialog.tsx";
import { type MarkedScreen, type ShortcutGroup, shortcutGroups } from "./editor-shortcuts.ts";
import { formatKey, groupKeys } from "./key-names.ts";
import stylesheet from "./shortcuts-dialog.css?url";
import type { Shortcut } from "./shortcuts.ts";
import { setSingleKeys, useSingleKeys } from "./single-keys.ts";
import * as styles from "./shortcuts.module.css";
import * as switchStyles from "../../ui/form/switch.module.css";

/** Lists the keys of a screen, with a switch for single-character keys. */
export function ShortcutsDialog({
  screen,
  open,
  onClose,
}: {
  screen: MarkedScreen;
  open: boolean;
  onClose(): void;
}) {
  const groups = shortcutGroups[screen];
  // Rendered at the end of the page, so that the styles around its button do not apply.
  return createPortal(
    <>
      <link rel="stylesheet" href={stylesheet} precedence="default" />
      <Dialog
        open={open}
        title="Keyboard shortcuts"
        width={groups.length > 1 ? "wide" : "narrow"}
        leave="Close"
        leaveProps={{ variant: "secondary" }}
        onClose={onClose}
      >
        <SingleKeysSwitch />
        <div className={styles.groups}>
          {groups.map((group) => (
            <Group key={group.title} {...group} />
          ))}
        </div>
      </Dialog>
    </>,
    document.body,
  );
}

function SingleKeysSwitch() {
  const areOn = useSingleKeys();
  const hint = useId();
  const [isRemembered, setIsRemembered] = useState(true);
  return (
    <div className={styles.singleKeys}>
      <label className={switchStyles.switch}>
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has its own checked state
          role="switch"
          checked={areOn}
          aria-describedby={hint}
          onChange={({ target }) => setIsRemembered(setSingleKeys(target.checked))}
        />
        <span>Single-key shortcuts</span>
      </label>
      <p id={hint}>
        Turn them off if you use speech input, or press keys by accident. Keys that are not a single
        character always work.{" "}
        {isRemembered
          ? "This browser remembers your choice."
          : "Your browser refuses to store this, so it lasts until you leave this page."}
      </p>
    </div>
  );
}

function Group({ title, shortcuts, isAnywhere = false }: ShortcutGroup) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <dl>
        {Object.entries(shortcuts).map(([action, shortcut]) => (
          <Row key={action} {...shortcut} isAnywhere={isAnywhere} />
        ))}
      </dl>
    </section>
  );
}

function Row({ keys, label, isAnywhere }: Shortcut & { isAnywhere: boolean }) {
  const areSingleKeysOn = useSingleKeys();
  const groups = groupKeys(keys);
  const isCharacter = groups.every(({ pressed }) => pressed.every(({ length }) => length === 1));
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {isAnywhere && isCharacter && !areSingleKeysOn && <em>Off</em>}
        {groups.map(({ modifiers, pressed }, index) => (
          <span key={modifiers.join("+")}>
            {index > 0 && "or"}
            {modifiers.map((key) => (
              <Fragment key={key}>
                <Key name={key} />+
              </Fragment>
            ))}
            {pressed.map((key) => (
              <Key key={key} name={key} />
            ))}
          </span>
        ))}
      </dd>
    </div>
  );
}

function Key({ name }: { name: string }) {
  const { sign, name: spoken } = formatKey(name);
  if (!spoken) return <kbd>{sign}</kbd>;
  return (
    <kbd>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{spoken}</span>
    </kbd>
  );
}
