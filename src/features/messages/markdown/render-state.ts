import type { RenderContext } from './render-context';

/**
 * What one rendering knows and finds out. The parser is shared by all renderings; this object travels with each
 * of them as markdown-it's environment.
 */
export class RenderState {
  readonly mentionedUserIds = new Set<number>();
  readonly mentionedGroupIds = new Set<number>();
  readonly attachmentPaths = new Set<string>();
  channelWildcard = false;
  topicWildcard = false;
  hasLink = false;
  hasImage = false;
  /** Within a quotation nobody is notified: the mention was made by somebody else. */
  insideQuotation = false;

  constructor(readonly context: RenderContext) {}

  static of(parserState: { env: unknown }): RenderState {
    return parserState.env as RenderState;
  }
}
