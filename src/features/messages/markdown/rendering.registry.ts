import { Injectable } from '@nestjs/common';
import type { Linkifier, RenderContext } from './render-context';

export type { Linkifier, LinkMatch } from './render-context';

/** What features above messages add to how messages are rendered. */
export interface RenderingSource {
  readonly linkifiers?: RenderContext['linkifiers'];
  readonly customEmoji?: RenderContext['customEmoji'];
}

/** Where features above messages say what else Markdown may refer to. */
@Injectable()
export class RenderingRegistry {
  private readonly sources: RenderingSource[] = [];

  register(source: RenderingSource): void {
    this.sources.push(source);
  }

  linkifiers(text: string): readonly Linkifier[] {
    return this.sources.flatMap((source) => source.linkifiers?.(text) ?? []);
  }

  customEmoji(name: string): ReturnType<RenderContext['customEmoji']> {
    for (const source of this.sources) {
      const emoji = source.customEmoji?.(name);
      if (emoji) return emoji;
    }
    return undefined;
  }
}
