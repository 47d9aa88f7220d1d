import { Injectable } from '@nestjs/common';

/** Turns the Markdown of a channel's description into safe HTML; the empty text stays empty. */
export type DescriptionRenderer = (markdown: string) => string;

/**
 * Where the feature that knows Markdown hands in its renderer: descriptions are written like messages, and
 * messages stand above channels.
 */
@Injectable()
export class DescriptionRendererRegistry {
  private renderer: DescriptionRenderer = plainParagraph;

  use(renderer: DescriptionRenderer): void {
    this.renderer = renderer;
  }

  render(markdown: string): string {
    return markdown === '' ? '' : this.renderer(markdown);
  }
}

/** What is shown while no renderer is registered: the text itself, escaped. */
function plainParagraph(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<p>${escaped}</p>`;
}
