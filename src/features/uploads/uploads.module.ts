import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages';
import { UsersModule } from '../users';
import { AttachmentAccess } from './attachment.access';
import { AttachmentLinksService } from './attachment-links.service';
import { AttachmentRowsService } from './attachment-rows.service';
import { AttachmentsController } from './attachments.controller';
import { AttachmentsService } from './attachments.service';
import { DownloadService } from './download.service';
import { UploadService } from './upload.service';
import { UploadSpaceService } from './upload-space.service';
import { UnlinkedUploadsService } from './unlinked-uploads.service';
import { UploadedFilesController } from './uploaded-files.controller';
import { UploadsController } from './uploads.controller';

/** Files that people upload, and who may read them. */
@Module({
  imports: [UsersModule, MessagesModule],
  controllers: [UploadsController, UploadedFilesController, AttachmentsController],
  providers: [
    AttachmentAccess,
    AttachmentLinksService,
    AttachmentRowsService,
    AttachmentsService,
    DownloadService,
    UnlinkedUploadsService,
    UploadService,
    UploadSpaceService,
  ],
  exports: [UnlinkedUploadsService],
})
export class UploadsModule {}
