import { readHtml } from './html-text';
import { wordsOf } from './words';

/** The words that a message is found by: those a reader sees. */
export function messageWords(html: string): string[] {
  return wordsOf(readHtml(html).text).map((word) => word.text);
}

/** The words that a topic is found by. */
export function nameWords(name: string): string[] {
  return wordsOf(name).map((word) => word.text);
}
