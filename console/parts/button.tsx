import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';

interface ButtonProperties extends Omit<ButtonHTMLAttributes, 'label' | 'icon' | 'kind' | 'class' | 'title'> {
  /** `main` is the one thing that a page is for, `quiet` has no frame. */
  readonly kind?: 'main' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** What a button with an icon alone is called. */
  readonly label?: string;
  readonly children?: ComponentChildren;
  readonly class?: string;
  readonly title?: string;
  /** By which a key finds it. */
  readonly 'data-key'?: string;
}

/** A button that does something where it is; what leads elsewhere is a link. */
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
