import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/database.options';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { DraftsModule } from '../drafts/drafts.module';
import { EmojiModule } from '../emoji/emoji.module';
import { LinkifiersModule } from '../linkifiers/linkifiers.module';
import { MembershipModule } from '../membership/membership.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { OrganizationModule } from '../organization/organization.module';
import { PersonalModule } from '../personal/personal.module';
import { UploadsModule } from '../uploads/uploads.module';
import { UsersModule } from '../users/users.module';
import { OrganizationExports1700000000041 } from './export/0041-organization-exports.migration';
import { OrganizationArchiveService } from './export/archive/organization-archive.service';
import {
  ConsentEventsService,
  ExportChecksService,
  ExportRowsService,
  ExportsService,
} from './export/exports.service';
import { ExportCommandService } from './export/export-command.service';
import { ExportFilesController, ExportsController } from './export/exports.controller';
import { ArchiveWriterService } from './export/archive/archive-writer.service';
import { PersonArchiveService } from './export/person/person-archive.service';
import { MakeExportService } from './export/make-export.service';
import { OrganizationExport } from './export/organization-export.entity';
import { ImportAloneService } from './import/import-alone.service';
import { ImportCommandService } from './import/import-command.service';
import { ImportStepsService } from './import/import-steps.service';
import { InviteImportedService } from './import/invite-imported.service';
import { MattermostExportService } from './import/mattermost/mattermost-export.service';
import { SlackExportService } from './import/slack/slack-export.service';

/** Export and import of organizations in Zulip's format, and import from other products. */
@Module({
  imports: [
    TypeOrmModule.forFeature([OrganizationExport]),
    AuditModule,
    UsersModule,
    PersonalModule,
    ChannelsModule,
    MessagesModule,
    DraftsModule,
    EmojiModule,
    LinkifiersModule,
    MembershipModule,
    UploadsModule,
    OrganizationSettingsModule,
    OrganizationModule,
  ],
  controllers: [ExportsController, ExportFilesController],
  providers: [
    ArchiveWriterService,
    OrganizationArchiveService,
    PersonArchiveService,
    ConsentEventsService,
    ExportChecksService,
    ExportCommandService,
    ExportRowsService,
    ExportsService,
    MakeExportService,
    ImportAloneService,
    ImportCommandService,
    ImportStepsService,
    InviteImportedService,
    SlackExportService,
    MattermostExportService,
  ],
})
@Migrations(OrganizationExports1700000000041)
export class MovingModule {}

// Exports for other features.
export { archivePath } from './export/exports.service';
// Checked before the server starts.
export { refuseUnfinishedImport } from './import/import-state';
