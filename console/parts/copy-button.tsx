import * as words from '../words';
import { Button } from './button';
import { announce } from './status';

/** Copies a text, where browsers do not let pages do so (without TLS) through a field that is selected. */
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

/** Copies what stands beside it. */
export function CopyButton({ text }: { readonly text: string }) {
  return <Button onClick={() => void copyText(text, words.copied)}>{words.copy}</Button>;
}
