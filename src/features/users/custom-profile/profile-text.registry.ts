import { Injectable } from '@nestjs/common';

/** Turns the Markdown of a profile field into safe HTML. */
export type ProfileTextRenderer = (markdown: string) => string;

/**
 * Where the feature that knows Markdown hands in its renderer: profile texts are written like messages,
 * and messages stand above users.
 */
@Injectable()
export class ProfileTextRegistry {
  private renderer: ProfileTextRenderer = plainParagraph;

  use(renderer: ProfileTextRenderer): void {
    this.renderer = renderer;
  }

  render(markdown: string): string {
    return this.renderer(markdown);
  }
}

/** What is shown while no renderer is registered: the text itself, escaped. */
function plainParagraph(text: string): string {
  return `<p>${text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)}</p>`;
}
