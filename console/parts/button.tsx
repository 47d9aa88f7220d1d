import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';

interface ButtonProperties extends Omit<ButtonHTMLAttributes, 'label' | 'icon' | 'kind'> {
  /** `main` is the one thing that a page is for, `quiet` has no frame. */
  readonly kind?: 'main' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** What a button with an icon alone is called. */
  readonly label?: string;
  readonly children?: ComponentChildren;
  /** By which a key finds it. */
  readonly 'data-key'?: string;
}

/** A button that does something where it is; what leads elsewhere is a link. */
export function Button({ kind, icon, label, children, type = 'button', ...rest }: ButtonProperties) {
  return (
    <button {...rest} type={type} class={`button ${kind ?? ''}`} aria-label={label} title={label}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
