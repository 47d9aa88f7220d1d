import * as words from '../words';
import { Button } from './button';
import { announce } from './status';

/** Copies a text. Without TLS, where browsers have no clipboard API, copies through a selected field. */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
  announce(said);
}

/** Copies the adjacent text. */
export function CopyButton({ text }: { readonly text: string }) {
  return <Button onClick={() => void copyText(text, words.copied)}>{words.copy}</Button>;
}
