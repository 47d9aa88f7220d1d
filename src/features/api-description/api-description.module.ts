import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module';
import { ApiDescriptionController, PageSessionController } from './api-description.controller';
import { ApiDescriptionService } from './api-description.service';

/** The OpenAPI document of both interfaces, and its HTML page. */
@Module({
  imports: [UsersModule],
  controllers: [ApiDescriptionController, PageSessionController],
  providers: [ApiDescriptionService],
})
export class ApiDescriptionModule {}
