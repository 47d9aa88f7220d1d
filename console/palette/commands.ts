import { signal } from '@preact/signals';

/** The dialog opened by a shortcut. */
export const opened = signal<'palette' | 'keys' | null>(null);
