import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';

interface ButtonProperties extends Omit<ButtonHTMLAttributes, 'label' | 'icon' | 'kind' | 'class' | 'title'> {
  /** `main` is the primary action of a page; `quiet` has no frame. */
  readonly kind?: 'main' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** Accessible name of a button that only has an icon. */
  readonly label?: string;
  readonly children?: ComponentChildren;
  readonly class?: string;
  readonly title?: string;
  /** Identifies the button for shortcuts. */
  readonly 'data-key'?: string;
}

/** A button that performs an action; links are for navigation. */
export function Button({
  kind,
  icon,
  label,
  children,
  type = 'button',
  class: further,
  title = label,
  ...rest
}: ButtonProperties) {
  const classes = ['button', kind, further].filter(Boolean).join(' ');
  return (
    <button {...rest} type={type} class={classes} aria-label={label} title={title}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
