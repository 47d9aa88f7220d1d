/** A message as readers see it, and what the server has to know about its content. */
export interface RenderedMarkdown {
  /** Safe to be shown as it is. */
  readonly html: string;
  /** People who are notified; silent mentions and those in quotations are left out here and below. */
  readonly mentionedUserIds: ReadonlySet<number>;
  readonly mentionedGroupIds: ReadonlySet<number>;
  /** Everybody in the channel (or the conversation) is mentioned. */
  readonly channelWildcard: boolean;
  /** Everybody who takes part in the topic is mentioned. */
  readonly topicWildcard: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  readonly hasAttachment: boolean;
  /** The uploaded files linked to: what stands after `/user_uploads/`, percent-decoded. */
  readonly attachmentPaths: readonly string[];
  /** A single paragraph after `/me `, told about the sender in the third person. */
  readonly isMeMessage: boolean;
  /** The visible text without blocks of code, for alert words. */
  readonly prose: string;
}
