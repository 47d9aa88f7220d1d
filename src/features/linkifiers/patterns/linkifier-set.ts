import { RE2Set } from 're2js';
import type { LinkFinder, LinkMatch } from '../../messages/messages.module';
import type { UrlTemplate } from './url-template';
import { openedBy, type LinkifierPattern } from './linkifier-pattern';

/** Longest address that is linked to. */
const MAX_URL_LENGTH = 4096;

/** A linkifier that is ready for use. */
export class CompiledLinkifier implements LinkFinder {
  constructor(
    readonly id: number,
    readonly pattern: LinkifierPattern,
    private readonly urlTemplate: UrlTemplate,
  ) {}

  *matches(text: string): Iterable<LinkMatch> {
    for (const { start, end, groups } of this.pattern.places(text)) {
      const url = this.urlTemplate.expand(groups);
      if (url.length <= MAX_URL_LENGTH) yield { start, end, text: text.slice(start, end), url };
    }
  }
}

/**
 * All linkifiers of the organization, in their order. One automaton made of all patterns tells in a single pass which
 * of them have anything to say about a text, so that five hundred cost a message hardly more than one.
 */
export class LinkifierSet {
  private readonly automaton: RE2Set | null = null;

  constructor(private readonly linkifiers: readonly CompiledLinkifier[]) {
    if (linkifiers.length === 0) return;
    this.automaton = new RE2Set();
    for (const { pattern } of linkifiers) this.automaton.add(openedBy(pattern.source));
    this.automaton.compile();
  }

  /** Those that may match in the text, in their order. */
  within(text: string): readonly LinkFinder[] {
    return this.automaton?.match(text).map((at) => this.linkifiers[at]!) ?? [];
  }
}
