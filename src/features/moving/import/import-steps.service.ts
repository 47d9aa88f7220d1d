import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { FileStore } from '../../../platform/files/file-store';
import { Hooks } from '../../../platform/hooks/hooks';
import { DescriptionRenderer } from '../../channels/channels.module';
import { ScheduledMessageRowsService } from '../../drafts/drafts.module';
import { CustomEmojiPicturesService } from '../../emoji/emoji.module';
import {
  IndexMessagesService,
  MessageRendererService,
  MessageTextService,
} from '../../messages/messages.module';
import { OrganizationPictureFiles } from '../../organization/organization.module';
import { AccountDirectory, AccountRules, AvatarService } from '../../users/users.module';
import { ArchiveRow } from './records/archive-row';
import {
  ClearingStep,
  DescriptionsStep,
  LinksStep,
  ReactionsStep,
  SumsStep,
} from './tables/first-and-last-steps';
import { MessagePlaces, MessageReader } from './tables/archived-message';
import { ChannelsStep, SubscriptionsStep } from './tables/channels-step';
import { ExtrasStep } from './tables/extras-step';
import { PicturesStep, UploadsStep } from './tables/files-step';
import { GroupsStep } from './tables/groups-step';
import { type ImportContext, type ImportStep, usable } from './tables/import-context';
import { MessagesStep } from './tables/messages-step';
import { OrganizationStep } from './tables/organization-step';
import { PeopleStep } from './tables/people-step';
import { PersonalStep } from './tables/personal-step';
import { SubmessagesStep } from './tables/submessages-step';
import { Texts, UploadPaths } from './tables/texts';
import { UnsentStep } from './tables/unsent-step';

/** The steps of an import in order: rows come before those that reference them. */
export interface ImportPlan {
  readonly before: readonly ImportStep[];
  /** One step for each message file of the archive; call it once all steps in `before` are stored. */
  messages(): Promise<readonly ImportStep[]>;
  readonly after: readonly ImportStep[];
}

/** Assembles the steps of an import. */
@Injectable()
export class ImportStepsService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly hooks: Hooks,
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly avatars: AvatarService,
    private readonly emojiPictures: CustomEmojiPicturesService,
    private readonly ownPictures: OrganizationPictureFiles,
    private readonly descriptions: DescriptionRenderer,
    private readonly renderer: MessageRendererService,
    private readonly index: IndexMessagesService,
    private readonly messageText: MessageTextService,
    private readonly scheduled: ScheduledMessageRowsService,
    private readonly clock: Clock,
  ) {}

  async plan(context: ImportContext): Promise<ImportPlan> {
    const paths = await uploadPaths(context);
    const { externalUrl } = this.config;
    const old = context.survey.oldSite.url;
    if (old !== null && old !== externalUrl)
      context.ledger.note('changed', 'zerver_message', null, `Links to ${old} lead here.`);
    const texts = new Texts(context.survey, paths, externalUrl);
    const reader = new MessageReader(context, texts, this.messageText);
    const { database, accounts, renderer, index, clock, messageText, scheduled } = this;
    const unsent = new UnsentStep({ clock, texts, messageText, accounts, renderer, scheduled });
    return {
      before: [
        new ClearingStep(this.hooks),
        new PeopleStep(this.rules, this.config.emailDomain),
        new GroupsStep(),
        new ChannelsStep(),
        new OrganizationStep(),
        new SubscriptionsStep(),
        new ExtrasStep(),
        new PersonalStep(),
        new PicturesStep(this.emojiPictures, this.avatars, this.ownPictures),
        new UploadsStep(this.files, paths),
        new DescriptionsStep(this.descriptions, this.hooks),
      ],
      messages: async () => {
        const places = await MessagePlaces.load(database.read);
        const tools = { database, accounts, renderer, reader, places, index };
        return context.source.messageFiles.map((name) => new MessagesStep(name, tools));
      },
      after: [new ReactionsStep(), new SubmessagesStep(), new LinksStep(), unsent, new SumsStep()],
    };
  }
}

async function uploadPaths({ source, ledger }: ImportContext): Promise<UploadPaths> {
  const paths = new UploadPaths();
  for await (const { table, row } of source.rows('attachment.json')) {
    if (row === null) continue;
    usable(ledger, new ArchiveRow(table, row), (each) => paths.add(each.text('path_id')));
  }
  return paths;
}
