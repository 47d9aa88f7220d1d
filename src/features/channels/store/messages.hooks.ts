import type { Queryable } from '../../../platform/sql/queryable';
import { definePort } from '../../../platform/hooks/hook';
import type { Requester } from '../../user-groups/user-groups.module';

/** Turns the Markdown of descriptions into safe HTML. They are written like messages, which stand above channels. */
interface DescriptionMarkdown {
  render(markdown: string, author: Requester | null): string;
}

/** Renders descriptions. */
export const descriptionRendererPort = definePort<DescriptionMarkdown>('descriptionRendererPort');

/** What channels ask about messages, which stand above them. */
export interface MessageCounts {
  /** The newest ID; 0 while there is no message. */
  newestId(db: Queryable): Promise<number>;
  /** The last ID sent before a time. @param time UNIX seconds */
  lastIdBefore(time: number): Promise<number>;
  /** How many messages after one ID and up to another each channel got, by days since 1970. */
  countByChannel(
    after: number,
    last: number,
  ): Promise<{ channelId: number; day: number; messages: number }[]>;
}

/** Counts messages for the traffic of channels and for the stretches of subscriptions. */
export const messageCountsPort = definePort<MessageCounts>('messageCountsPort');
