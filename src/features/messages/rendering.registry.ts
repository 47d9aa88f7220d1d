import { Injectable } from '@nestjs/common';
import type { Linkifier, RenderContext } from './rendering/render-context';

/** What features above messages add to how messages are rendered. */
export interface RenderingSource {
  /** In the order in which they are tried. */
  linkifiers?(): readonly Linkifier[];
  readonly customEmoji?: RenderContext['customEmoji'];
}

/** Where features above messages say what else Markdown may refer to. */
@Injectable()
export class RenderingRegistry {
  private readonly sources: RenderingSource[] = [];

  register(source: RenderingSource): void {
    this.sources.push(source);
  }

  linkifiers(): readonly Linkifier[] {
    return this.sources.flatMap((source) => source.linkifiers?.() ?? []);
  }

  customEmoji(name: string): ReturnType<RenderContext['customEmoji']> {
    for (const source of this.sources) {
      const emoji = source.customEmoji?.(name);
      if (emoji) return emoji;
    }
    return undefined;
  }
}
