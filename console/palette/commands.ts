import { signal } from '@preact/signals';

/** The window that a key has opened. */
export const opened = signal<'palette' | 'keys' | null>(null);
