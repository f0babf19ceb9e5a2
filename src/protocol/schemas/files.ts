// Schemas that validate requests of the Files API. The compiler checks them against the types.
import * as v from 'valibot';
import type {
  AnnouncedFile,
  FilePassage,
  FileStorage,
  FoundPassage,
  KnowledgeBase,
  NewPassage,
  PassageMeta,
  PlatformFile,
  PlatformFileChanges,
  PlatformFileFields,
  SemanticSearch,
} from '../file.ts';
import { limits } from '../limits.ts';
import { schemaOf } from './base/schema-of.ts';
import { maybe, timestamp } from './base/values.ts';
import { schemas } from './chat.ts';
import { boundedArray } from './pre-validation.ts';
import { tagsOf, tagsWithLimit } from './tags.ts';

const tags = v.record(v.string(), v.string());
const subtype = v.picklist([
  'title',
  'subtitle',
  'paragraph',
  'blockquote',
  'list',
  'table',
  'code',
  'image',
  'page',
]);
const policies = v.array(v.picklist(['public_content', 'integrations']));

const platformFile = schemaOf<PlatformFile>()(
  v.object({
    id: v.string(),
    botId: v.string(),
    key: v.string(),
    url: v.string(),
    size: v.nullable(v.number()),
    contentType: v.string(),
    tags,
    metadata: schemas.data,
    createdAt: timestamp,
    updatedAt: timestamp,
    accessPolicies: policies,
    index: v.boolean(),
    status: v.picklist([
      'upload_pending',
      'upload_completed',
      'upload_failed',
      'indexing_pending',
      'indexing_completed',
      'indexing_failed',
    ]),
    failedStatusReason: maybe(v.string()),
    warnings: maybe(v.array(v.string())),
    expiresAt: maybe(timestamp),
    owner: v.object({
      type: v.picklist(['bot', 'integration', 'user']),
      id: maybe(v.string()),
      name: maybe(v.string()),
      alias: maybe(v.string()),
    }),
  }),
);

/** The names and values of tags that a caller sets. */
export const tagName = v.pipe(schemas.id, v.maxLength(limits.fileTagName));
const tagValue = v.pipe(schemas.whole, v.maxLength(limits.fileTagValue));
const givenTags = tagsWithLimit(tagName, tagValue, limits.fileTags);
const changedTags = tagsOf(tagName, v.nullable(tagValue));

const fields = schemaOf<PlatformFileFields>()(
  v.object({
    key: v.pipe(schemas.id, v.maxLength(limits.platformFileKey)),
    size: v.pipe(v.number(), v.integer(), v.minValue(0)),
    index: maybe(v.boolean()),
    indexing: maybe(schemas.data),
    tags: maybe(givenTags),
    metadata: maybe(schemas.data),
    accessPolicies: maybe(policies),
    contentType: maybe(v.pipe(v.string(), v.maxLength(255))),
    expiresAt: maybe(timestamp),
    publicContentImmediatelyAccessible: maybe(v.boolean()),
  }),
);

const changes = schemaOf<PlatformFileChanges>()(
  v.object({
    index: maybe(v.boolean()),
    tags: maybe(changedTags),
    metadata: maybe(schemas.data),
    accessPolicies: maybe(policies),
    expiresAt: maybe(v.nullable(timestamp)),
  }),
);

const passageMeta = schemaOf<PassageMeta>()(
  v.object({
    type: v.picklist(['chunk', 'summary', 'consolidated', 'image']),
    subtype: maybe(subtype),
    pageNumber: maybe(v.number()),
    position: maybe(v.number()),
    sourceUrl: maybe(v.string()),
  }),
);

const passage = schemaOf<FilePassage>()(
  v.object({
    id: v.string(),
    content: v.string(),
    meta: passageMeta,
  }),
);

const newPassage = schemaOf<NewPassage>()(
  v.object({
    content: v.pipe(schemas.id, v.maxLength(limits.passageText)),
    subtype: maybe(subtype),
    type: maybe(subtype),
    pageNumber: maybe(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))),
  }),
);

const foundPassage = schemaOf<FoundPassage>()(
  v.object({
    content: v.string(),
    score: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    meta: passageMeta,
    file: v.object({
      id: v.string(),
      key: v.string(),
      contentType: v.string(),
      metadata: schemas.data,
      tags,
      createdAt: timestamp,
      updatedAt: timestamp,
    }),
    context: maybe(
      v.array(
        v.object({
          id: maybe(v.string()),
          text: v.string(),
          offset: maybe(v.number()),
          type: v.picklist(['breadcrumb', 'preceding', 'current', 'subsequent']),
        }),
      ),
    ),
  }),
);

const count = v.object({ count: v.number(), bytes: v.number() });

const knowledgeBase = schemaOf<KnowledgeBase>()(
  v.object({
    id: v.string(),
    name: v.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    tags,
  }),
);

const name = v.pipe(schemas.id, v.maxLength(limits.knowledgeBaseName));

export const fileSchemas = {
  fields,
  changes,
  platformFile,
  announcedFile: schemaOf<AnnouncedFile>()(v.object({ ...platformFile.entries, uploadUrl: v.string() })),
  passage,
  newPassages: v.object({ passages: boundedArray(newPassage, limits.newPassages) }),
  foundPassage,
  storage: schemaOf<FileStorage>()(v.object({ files: count, vectorDb: count })),
  semanticSearch: schemaOf<SemanticSearch>()(
    v.object({
      status: v.picklist(['ready', 'indexing', 'failing', 'unavailable', 'off']),
      model: maybe(v.string()),
      reason: maybe(v.string()),
    }),
  ),
  knowledgeBase,
  newKnowledgeBase: v.object({ name, tags: maybe(givenTags) }),
  knowledgeBaseChanges: v.object({ name: maybe(name), tags: maybe(changedTags) }),
};
