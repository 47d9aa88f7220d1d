import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { EmojiModule } from '../emoji/emoji.module';
import { LinkifiersModule } from '../linkifiers/linkifiers.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationModule } from '../organization/organization.module';
import { PersonalModule } from '../personal/personal.module';
import { TopicsModule } from '../topics/topics.module';
import { UploadsModule } from '../uploads/uploads.module';
import { UsersModule } from '../users/users.module';
import { ImportCommandService } from './import-command.service';
import { ImportStepsService } from './import-steps.service';
import { MattermostExportService } from './mattermost/mattermost-export.service';
import { SlackExportService } from './slack/slack-export.service';

/** Import of organizations from archives. */
@Module({
  imports: [
    AuditModule,
    UsersModule,
    PersonalModule,
    ChannelsModule,
    TopicsModule,
    MessagesModule,
    EmojiModule,
    LinkifiersModule,
    UploadsModule,
    OrganizationModule,
  ],
  providers: [ImportCommandService, ImportStepsService, SlackExportService, MattermostExportService],
})
export class ImportingModule {}

// What starts the server asks first.
export { refuseUnfinishedImport } from './import-state';
