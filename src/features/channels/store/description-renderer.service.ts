import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Requester } from '../../user-groups/user-groups.module';
import { descriptionRendererPort } from './messages.hooks';

/** Turns Markdown of descriptions into safe HTML; the empty text stays empty. */
@Injectable()
export class DescriptionRenderer {
  constructor(private readonly hooks: Hooks) {}

  /**
   * Without a feature that knows Markdown, the text itself is shown.
   * @param author whose access decides which channels become links, so that naming one reveals nothing; null without an
   *   author: then public ones do
   */
  render(markdown: string, author: Requester | null): string {
    if (markdown === '') return '';
    return this.hooks.provider(descriptionRendererPort)?.render(markdown, author) ?? plainParagraph(markdown);
  }
}

function plainParagraph(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<p>${escaped}</p>`;
}
