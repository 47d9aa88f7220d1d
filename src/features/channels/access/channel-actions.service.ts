import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  type ActionQuestion,
  explainableActionsSought,
  type ExplainableActions,
  type Explanation,
  PermissionService,
  type Requester,
} from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import { ChannelAccess, type ChannelAccessReason } from './channel.access';
import type { ChannelRecord } from '../store/channel.directory';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  CONTENT_SETTINGS,
  METADATA_SETTINGS,
  type ChannelGroupSetting,
} from '../store/channel-group-settings';
import { PostingAccess, type Sender, SubscribeAccess } from './participation.access';

type Explain = (who: Sender, channel: ChannelRecord) => Explanation;

/** Permissions that guard a separate action: explaining one explains whether that action is allowed. */
const ACTION_OF: Partial<Record<ChannelGroupSetting, string>> = {
  can_add_subscribers_group: 'add_subscribers',
  can_administer_channel_group: 'administer',
  can_create_topic_group: 'create_topic',
  can_remove_subscribers_group: 'remove_subscribers',
  can_send_message_group: 'send_message',
  can_subscribe_group: 'subscribe',
};

/** Explains why a person may or may not do something in a channel, by the same rules as the endpoints. */
@Injectable()
export class ChannelActions implements ExplainableActions {
  readonly object = 'channel';
  private readonly byName: ReadonlyMap<string, Explain>;

  constructor(
    private readonly access: ChannelAccess,
    private readonly posting: PostingAccess,
    private readonly subscribing: SubscribeAccess,
    private readonly permissions: PermissionService,
    private readonly accounts: AccountDirectory,
    hooks: Hooks,
  ) {
    const actions: Record<string, Explain> = {
      see: (who, channel) => this.explainSeeing(who, channel),
      read: (who, channel) => this.explainReading(who, channel),
      subscribe: (who, channel) => this.explainReading(who, channel),
      send_message: (who, channel) => this.explainPosting(who, channel),
      create_topic: (who, channel) => this.explainTopic(who, channel),
      administer: (who, channel) => this.explainAdministration(who, channel),
      add_subscribers: (who, channel) => this.explainAddition(who, channel),
      remove_subscribers: (who, channel) => this.explainRemoval(who, channel),
      remove_own_bots: (who, channel) => this.explainRemovalOfBots(who, channel),
    };
    const settings = CHANNEL_GROUP_SETTING_NAMES.map((setting): [string, Explain] => {
      const action = actions[ACTION_OF[setting] ?? ''];
      return [setting, action ?? ((who, channel) => this.explainSetting(who, channel, setting))];
    });
    this.byName = new Map([...settings, ...Object.entries(actions)]);
    hooks.on(explainableActionsSought, () => this);
  }

  get names(): Iterable<string> {
    return this.byName.keys();
  }

  /** @throws InvalidChannelId unless the asker sees the channel */
  explain({ asker, person, action, objectId }: ActionQuestion): Explanation {
    const channel = this.access.forMetadata(asker, objectId, { archived: true });
    const explain = this.byName.get(action) as Explain;
    return explain(person, channel);
  }

  /** A permission is effective only for people who can enter the channel. */
  private explainSetting(who: Requester, channel: ChannelRecord, setting: ChannelGroupSetting): Explanation {
    return both(this.access.explainHolding(who, channel, setting), this.explainReading(who, channel));
  }

  private explainSeeing(who: Requester, channel: ChannelRecord): Explanation {
    return this.explainGround(who, channel, this.access.metadataGround(who, channel), METADATA_SETTINGS);
  }

  private explainReading(who: Requester, channel: ChannelRecord): Explanation {
    return this.explainGround(who, channel, this.access.contentGround(who, channel), CONTENT_SETTINGS);
  }

  private explainAdministration(who: Requester, channel: ChannelRecord): Explanation {
    const ground = this.access.administrationGround(who, channel);
    return this.explainGround(who, channel, ground, ['can_administer_channel_group']);
  }

  private explainPosting(who: Sender, channel: ChannelRecord): Explanation {
    const ground = this.posting.reachGround(who, channel);
    const reach: Explanation =
      ground === 'subscribed owner'
        ? { allowed: true, chain: [ground] }
        : this.explainGround(
            who,
            channel,
            ground,
            channel.isHistoryPublicToSubscribers ? CONTENT_SETTINGS : [],
          );
    return both(this.explainForSender(who, channel, 'can_send_message_group'), reach);
  }

  private explainTopic(who: Sender, channel: ChannelRecord): Explanation {
    const creating = this.explainForSender(who, channel, 'can_create_topic_group');
    return both(this.explainPosting(who, channel), creating);
  }

  private explainAddition(who: Requester, channel: ChannelRecord): Explanation {
    const ground = this.subscribing.additionGround(who, channel);
    const organization = this.permissions.explainInOrganization(who, 'can_add_subscribers_group');
    const adding =
      ground === 'organization'
        ? organization
        : this.explainGround(who, channel, ground, [
            'can_administer_channel_group',
            'can_add_subscribers_group',
          ]);
    return both(this.explainReading(who, channel), adding);
  }

  private explainRemoval(who: Requester, channel: ChannelRecord): Explanation {
    const ground = this.subscribing.removalGround(who, channel);
    return this.explainGround(who, channel, ground, ['can_remove_subscribers_group']);
  }

  /** Owners may remove their bots from any channel that they see. */
  private explainRemovalOfBots(who: Requester, channel: ChannelRecord): Explanation {
    if (this.subscribing.removalGround(who, channel) !== null) return this.explainRemoval(who, channel);
    const ownsBots = this.accounts.all().some((account) => this.subscribing.isOwnBot(who, account));
    const owning: Explanation = { allowed: ownsBots, chain: [ownsBots ? 'owner of the bot' : 'owns no bot'] };
    return both(owning, this.explainSeeing(who, channel));
  }

  /** Bots may do what their owners may. */
  private explainForSender(who: Sender, channel: ChannelRecord, setting: ChannelGroupSetting): Explanation {
    const holder = this.posting.holderOf(who, channel, setting) ?? who;
    const { allowed, chain } = this.access.explainHolding(holder, channel, setting);
    return { allowed, chain: holder === who ? chain : ['owner of the bot', ...chain] };
  }

  /** @param settings permissions any of which would be sufficient */
  private explainGround(
    who: Requester,
    channel: ChannelRecord,
    ground: ChannelAccessReason | null,
    settings: readonly ChannelGroupSetting[],
  ): Explanation {
    if (ground === null) {
      const fact = channel.isArchived ? ['archived channel'] : [];
      const chains = settings.map((setting) => this.access.explainHolding(who, channel, setting).chain);
      return { allowed: false, chain: [...fact, 'not a subscriber', ...chains.flat()] };
    }
    return isSetting(ground)
      ? this.access.explainHolding(who, channel, ground)
      : { allowed: true, chain: [ground] };
  }
}

/** Combines two conditions that must both hold; the explanation is that of the one that fails. */
function both(first: Explanation, second: Explanation): Explanation {
  const failing = [first, second].find(({ allowed }) => !allowed);
  return failing ?? { allowed: true, chain: [...first.chain, ...second.chain] };
}

function isSetting(ground: ChannelAccessReason): ground is ChannelGroupSetting {
  return ground in CHANNEL_GROUP_SETTINGS;
}
