import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MessagesModule } from '../messages/messages.module';
import { UsersModule } from '../users/users.module';
import { AttachmentAccess } from './attachment.access';
import { AttachmentLinksService } from './attachment-links.service';
import { AttachmentPicturesService } from './attachment-pictures.service';
import { AttachmentRowsService } from './attachment-rows.service';
import {
  AttachmentsController,
  LoadingPictureController,
  ThumbnailsController,
  ThumbnailStatusController,
  UploadedFilesController,
  UploadsController,
} from './uploads.controller';
import { AttachmentsService, UnlinkedUploadsService } from './attachments.service';
import { DownloadService } from './download.service';
import {
  ExpireUnfinishedService,
  UnfinishedFilesService,
  UnfinishedRowsService,
} from './resumable/unfinished-uploads.service';
import { ResumableUploadsController } from './resumable/resumable-uploads.controller';
import { ResumableUploadsService } from './resumable/resumable-uploads.service';
import { ThumbnailDownloadService, ThumbnailsService } from './thumbnails.service';
import { UploadedMediaService } from './uploaded-media.service';
import { UploadService } from './upload.service';
import { UploadSpaceService } from './upload-space.service';
import { AttachmentMessage, Attachment, AttachmentPicture, UploadSpace } from './attachment.entity';
import { UnfinishedUpload } from './resumable/unfinished-upload.entity';

/** Attachments: uploads, quotas, thumbnails, access. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      AttachmentMessage,
      UnfinishedUpload,
      UploadSpace,
      AttachmentPicture,
      Attachment,
    ]),
    UsersModule,
    MessagesModule,
  ],
  controllers: [
    UploadsController,
    ResumableUploadsController,
    ThumbnailsController,
    ThumbnailStatusController,
    LoadingPictureController,
    UploadedFilesController,
    AttachmentsController,
  ],
  providers: [
    AttachmentAccess,
    AttachmentLinksService,
    AttachmentPicturesService,
    AttachmentRowsService,
    AttachmentsService,
    DownloadService,
    ExpireUnfinishedService,
    ResumableUploadsService,
    ThumbnailDownloadService,
    ThumbnailsService,
    UnfinishedFilesService,
    UnfinishedRowsService,
    UnlinkedUploadsService,
    UploadedMediaService,
    UploadService,
    UploadSpaceService,
  ],
  exports: [UnlinkedUploadsService, UploadService],
})
export class UploadsModule {}

// Exports for other features.
export type { AttachmentWire } from './uploads.api';
export { piecePaths } from './resumable/unfinished-uploads.service';
export { UnlinkedUploadsService } from './attachments.service';
export { UploadService } from './upload.service';
export { thumbnailNames, thumbnailPath } from './attachment-pictures.service';
export { fileHoldsPort, picturesSettled, type SettledPictures } from './uploads.hooks';
export { contentTypeOf, shownName, urlName } from './upload-path';
export { derivedPath, keyOf, pathOfImported, storedPath } from './upload-path';
export { UPLOAD_SPACE_STATE } from './upload-space.service';
