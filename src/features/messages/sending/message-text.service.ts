import { Injectable } from '@nestjs/common';
import { OrganizationDirectory } from '../../organization-settings';
import { checkTopicCharacters, normalizeContent, normalizeTopic } from './message-text';

/** Puts content and topics into the form in which they are stored (messages reference 2.4). */
@Injectable()
export class MessageTextService {
  constructor(private readonly organization: OrganizationDirectory) {}

  /** @throws BadRequest for empty content and for a NUL */
  content(content: string): string {
    return normalizeContent(content);
  }

  /** Trimmed and cut to its longest; the display name of the empty topic means that. */
  topic(topic: string): string {
    return normalizeTopic(topic, this.organization.settings.empty_topic_display_name);
  }

  /** @throws BadRequest naming the first character that no topic may hold */
  checkTopic(topic: string): void {
    checkTopicCharacters(topic);
  }
}
