import { useRef } from "react";
import { Icon } from "../../ui/brand/icon.tsx";
import { Button, type ButtonProps, ButtonLink, SubmitButton } from "../../ui/form/button.tsx";
import { CopyButton } from "../../ui/form/copy-button.tsx";
import {
  CheckboxField,
  EmailField,
  Field,
  FormAlert,
  PasswordField,
  SelectField,
  TextAreaField,
} from "../../ui/form/field.tsx";
import { DecisionForm, DecisionReason } from "../../ui/form/decision-form.tsx";
import { FormSent } from "../../ui/form/form-sent.tsx";
import { SpamTrap } from "../../ui/form/spam-trap.tsx";
import { Link } from "../../ui/link.tsx";
import { hindiText, longText, longWord, type Specimen, type State } from "./specimen.tsx";
import * as buttonStyles from "../../ui/form/button.module.css";
import * as proseStyles from "../../ui/layout/prose.module.css";
import * as switchStyles from "../../ui/form/switch.module.css";

const variants = ["primary", "secondary", "ghost", "danger"] as const;

const options = [
  { value: "", label: "All reviews" },
  { value: "long", label: longText },
  { value: "hindi", label: hindiText },
];

/** The states that every text field has. */
function listFieldStates(
  show: (props: {
    error?: string;
    hint?: string;
    disabled?: boolean;
    defaultValue?: string;
  }) => React.ReactNode,
): State[] {
  return [
    { label: "default", show: () => show({}) },
    { label: "hover", as: "hover", show: () => show({}) },
    { label: "focus", as: "focus", show: () => show({}) },
    { label: "hint", show: () => show({ hint: "You can change it later." }) },
    {
      label: "error",
      show: () => show({ error: "Please enter a value", hint: "You can change it later." }),
    },
    { label: "disabled", show: () => show({ disabled: true }) },
  ];
}

export const formSpecimens: readonly Specimen[] = [
  {
    name: "Button",
    file: "form/button.tsx",
    width: "small",
    states: [
      ...variants.flatMap((variant) => listButtonStates(variant)),
      { label: "size=sm", show: () => <Button size="sm">Archive</Button> },
      {
        label: "with an icon",
        show: () => (
          <Button variant="secondary">
            <Icon name="download" />
            Download
          </Button>
        ),
      },
      { label: "long text", show: () => <Button variant="secondary">{longText}</Button> },
      { label: "Hindi", show: () => <Button>{hindiText}</Button> },
      {
        label: ".icon-button",
        show: () => (
          <button type="button" className={buttonStyles.iconButton} aria-label="Edit">
            <Icon name="edit" />
          </button>
        ),
      },
    ],
  },
  {
    name: "ButtonLink",
    file: "form/button.tsx",
    width: "small",
    states: [
      ...variants.map((variant) => ({
        label: variant,
        show: () => (
          <ButtonLink to="/demo/components" variant={variant}>
            View jobs
          </ButtonLink>
        ),
      })),
      {
        label: "focus",
        as: "focus",
        show: () => <ButtonLink to="/demo/components">View jobs</ButtonLink>,
      },
      {
        label: "size=sm, icon",
        show: () => (
          <ButtonLink to="/demo/components" variant="ghost" size="sm">
            See all
            <Icon name="arrow-right" />
          </ButtonLink>
        ),
      },
    ],
  },
  {
    name: "SubmitButton",
    file: "form/button.tsx",
    width: "small",
    note: "Sends the form around it. By default it watches the navigation that the form causes.",
    states: [
      {
        label: "default",
        show: () => (
          <SubmitButton type="button" pending={false} pendingLabel="Saving...">
            Save changes
          </SubmitButton>
        ),
      },
      ...variants.map((variant) => ({
        label: `pending, ${variant}`,
        show: () => (
          <SubmitButton type="button" variant={variant} pending pendingLabel="Saving...">
            Save changes
          </SubmitButton>
        ),
      })),
      {
        label: "disabled",
        show: () => (
          <SubmitButton type="button" disabled pending={false} pendingLabel="Saving...">
            Save changes
          </SubmitButton>
        ),
      },
    ],
  },
  {
    name: "CopyButton",
    file: "form/copy-button.tsx",
    note: "Hidden until scripts run. If the browser refuses, it selects the text on the page.",
    states: [
      { label: "short text", show: () => <CopySample text="+91 80 4718 2200" /> },
      { label: "long text", show: () => <CopySample text={longWord} /> },
    ],
  },
  {
    name: "Field",
    file: "form/field.tsx",
    states: [
      ...listFieldStates((props) => (
        <Field label="Full name" name="fullName" placeholder="Asha Verma" {...props} />
      )),
      {
        label: "readonly",
        show: () => <Field label="Link" name="link" readOnly value={longWord} />,
      },
      {
        label: "long text",
        show: () => (
          <Field
            label={longText}
            name="long"
            hint={longText}
            error={`${longText}: ${longWord}`}
            defaultValue={longText}
          />
        ),
      },
      {
        label: "Hindi",
        show: () => <Field label={hindiText} name="hindi" defaultValue={hindiText} />,
      },
    ],
  },
  {
    name: "EmailField",
    file: "form/field.tsx",
    states: [
      { label: "default", show: () => <EmailField /> },
      {
        label: "error",
        show: () => <EmailField defaultValue="asha@" error="Please enter a valid email" />,
      },
    ],
  },
  {
    name: "PasswordField",
    file: "form/field.tsx",
    states: listFieldStates(({ defaultValue: _none, ...props }) => (
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        defaultValue="Good-enough1!"
        {...props}
      />
    )),
  },
  {
    name: "TextAreaField",
    file: "form/field.tsx",
    note: "Grows with its text where the browser can.",
    states: [
      ...listFieldStates((props) => (
        <TextAreaField label="Message" name="message" rows={3} {...props} />
      )),
      {
        label: "long text, Hindi",
        show: () => (
          <TextAreaField
            label="Message"
            name="message"
            rows={3}
            defaultValue={[longText, hindiText, longWord, longText].join("\n\n")}
          />
        ),
      },
    ],
  },
  {
    name: "SelectField",
    file: "form/field.tsx",
    states: [
      ...listFieldStates((props) => (
        <SelectField label="Type" name="type" options={options} {...props} />
      )),
      {
        label: "long text",
        show: () => <SelectField label="Type" name="type" options={options} defaultValue="long" />,
      },
      {
        label: "Hindi",
        show: () => <SelectField label="Type" name="type" options={options} defaultValue="hindi" />,
      },
    ],
  },
  {
    name: "CheckboxField",
    file: "form/field.tsx",
    states: [
      { label: "default", show: () => <CheckboxField label="Remember me" name="remember" /> },
      {
        label: "checked",
        show: () => <CheckboxField label="Remember me" name="remember" defaultChecked />,
      },
      {
        label: "focus",
        as: "focus",
        show: () => <CheckboxField label="Remember me" name="remember" />,
      },
      {
        label: "disabled",
        show: () => <CheckboxField label="Remember me" name="remember" disabled />,
      },
      {
        label: "disabled, checked",
        show: () => <CheckboxField label="Remember me" name="remember" disabled defaultChecked />,
      },
      {
        label: "error, link, long text",
        show: () => (
          <CheckboxField
            label={
              <>
                I accept the <Link to="/terms">terms</Link>. {longText}
              </>
            }
            name="terms"
            hint="You can withdraw it at any time."
            error="Please accept the terms"
          />
        ),
      },
    ],
  },
  {
    name: "Switch",
    file: "form/switch.css",
    width: "small",
    note: "A checkbox with the role of a switch.",
    states: [
      { label: "off", show: () => <Switch /> },
      { label: "on", show: () => <Switch defaultChecked /> },
      { label: "focus", as: "focus", show: () => <Switch /> },
      { label: "disabled, off", show: () => <Switch disabled /> },
      { label: "disabled, on", show: () => <Switch disabled defaultChecked /> },
    ],
  },
  {
    name: "FormAlert",
    file: "form/field.tsx",
    width: "large",
    note: "Renders nothing without a text.",
    states: [
      {
        label: "text",
        show: () => <FormAlert>Someone else changed this listing. Reload it.</FormAlert>,
      },
      {
        label: "long text, Hindi",
        show: () => (
          <FormAlert>
            {longText}: {longWord}. {hindiText}
          </FormAlert>
        ),
      },
    ],
  },
  {
    name: "FormSent",
    file: "form/form-sent.tsx",
    note: "It replaces a sent form and takes the focus, except when the server rendered it.",
    states: [
      {
        label: "with a next step",
        show: () => (
          <FormSent className={proseStyles.prose}>
            <h3>Thank you for your report</h3>
            <p>We&apos;ll read it and check the listing.</p>
          </FormSent>
        ),
      },
    ],
  },
  {
    name: "DecisionForm",
    file: "form/decision-form.tsx",
    note: "The form of an admin's decision in a row of a list.",
    states: [
      {
        label: "a reason and two buttons",
        show: () => (
          <DecisionForm>
            <Field label="Reason" name="reason" />
            <Button size="sm">Approve</Button>
            <Button size="sm" variant="secondary">
              Decline
            </Button>
          </DecisionForm>
        ),
      },
    ],
  },
  {
    name: "DecisionReason",
    file: "form/decision-form.tsx",
    note: "The reason that an admin gives for a decision.",
    states: [
      {
        label: "empty",
        show: () => <DecisionReason label="Reason" value={undefined} error={undefined} />,
      },
      {
        label: "error",
        show: () => (
          <DecisionReason label="Reason" value="No" error="Enter the reason for your decision" />
        ),
      },
    ],
  },
  {
    name: "SpamTrap",
    file: "form/spam-trap.tsx",
    note: "A field that only bots fill in. It is hidden, also from screen readers.",
    states: [
      {
        label: "nothing to see",
        show: () => (
          <>
            <SpamTrap renderedAt="" />
            <p>Outside the page.</p>
          </>
        ),
      },
    ],
  },
];

function listButtonStates(variant: ButtonProps["variant"]): State[] {
  const button = (props: ButtonProps) => (
    <Button variant={variant} {...props}>
      Save changes
    </Button>
  );
  return [
    { label: `${variant}`, show: () => button({}) },
    { label: `${variant}, hover`, as: "hover", show: () => button({}) },
    { label: `${variant}, focus`, as: "focus", show: () => button({}) },
    { label: `${variant}, disabled`, show: () => button({ disabled: true }) },
  ];
}

function CopySample({ text }: { text: string }) {
  const source = useRef<HTMLParagraphElement>(null);
  return (
    <>
      <p ref={source}>{text}</p>
      <CopyButton text={text} source={source} />
    </>
  );
}

function Switch(props: React.ComponentProps<"input">) {
  return (
    <label className={switchStyles.switch}>
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a native checkbox has its own checked state */}
      <input type="checkbox" role="switch" {...props} />
      Show summary
    </label>
  );
}
