// Schemas of the Files API: files, passages, storage, knowledge bases.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import { schemas } from './chat.ts';
import { tagsOf, tagsWithLimit } from './tags.ts';
import { boundedArray, described, describedObject, maybe, timestamp } from './values.ts';

const tags = v.record(v.string(), v.string());
const subtype = described(
  v.picklist(['title', 'subtitle', 'paragraph', 'blockquote', 'list', 'table', 'code', 'image', 'page']),
  'The role of a passage in its document.',
);
const policy = described(
  v.picklist(['public_content', 'integrations']),
  'The readers of a file in addition to its owner. `public_content`: everyone who has its address may read the bytes; ' +
    '`integrations`: all integrations of the bot may read, search and list it.',
);
const policies = v.array(policy);

const status = described(
  v.picklist([
    'upload_pending',
    'upload_completed',
    'upload_failed',
    'indexing_pending',
    'indexing_completed',
    'indexing_failed',
  ]),
  '`upload_pending` until the bytes are stored, then `upload_completed`, or `upload_failed`. With `index`: ' +
    '`indexing_pending`, then `indexing_completed` or `indexing_failed`.',
);

const owner = describedObject(
  'The creator of a file: a bot, an integration, or a member of the workspace (`user`).',
  {
    type: v.picklist(['bot', 'integration', 'user']),
    id: maybe(v.string(), 'Of a bot or a member.'),
    name: maybe(v.string(), 'Of an integration.'),
    alias: maybe(v.string(), 'Of an integration: its name again, for clients that read this field.'),
  },
);

const platformFile = describedObject('A file as the Files API describes it.', {
  id: v.string(),
  botId: v.string(),
  key: described(v.string(), 'Its name, unique within a bot, or within an integration of a bot.'),
  url: described(
    v.string(),
    'The address of its bytes: permanent with `public_content`, otherwise valid for an hour.',
  ),
  size: described(v.nullable(v.number()), 'Bytes; null until they are stored.'),
  contentType: v.string(),
  tags,
  metadata: schemas.data,
  createdAt: timestamp,
  updatedAt: timestamp,
  accessPolicies: policies,
  index: described(v.boolean(), 'Whether its text can be searched.'),
  status,
  failedStatusReason: maybe(v.string(), 'Why the upload or the indexing failed.'),
  warnings: maybe(
    v.array(v.string()),
    'Parts that the index lacks, or may have read wrongly: characters of an unknown encoding, pages without text.',
  ),
  expiresAt: maybe(timestamp, 'When it will be deleted, UTC.'),
  owner,
});

const announcedFile = describedObject(
  'The result of `upsertFile`: send bytes to `uploadUrl` by PUT, or PATCH with `Upload-Offset` (a subset of tus).',
  { ...platformFile.entries, uploadUrl: v.string() },
);

/** The fields by which lists of files can be sorted. */
export const fileSortField = v.picklist(['key', 'size', 'createdAt', 'updatedAt', 'status']);

/** The names and values of tags that a caller sets. */
export const tagName = v.pipe(schemas.id, v.maxLength(limits.fileTagName));
const tagValue = v.pipe(schemas.whole, v.maxLength(limits.fileTagValue));
const givenTags = tagsWithLimit(tagName, tagValue, limits.fileTags);
const changedTags = tagsOf(tagName, v.nullable(tagValue));

const fields = describedObject('The input of `upsertFile`.', {
  key: v.pipe(schemas.id, v.maxLength(limits.platformFileKey)),
  size: described(v.pipe(v.number(), v.integer(), v.minValue(0)), 'The number of bytes that will be sent.'),
  index: maybe(v.boolean(), 'Makes the text of the file searchable. Default: false.'),
  indexing: maybe(schemas.data, 'Accepted and ignored: there is only one way to index.'),
  tags: maybe(givenTags),
  metadata: maybe(schemas.data),
  accessPolicies: maybe(policies),
  contentType: maybe(v.pipe(v.string(), v.maxLength(255)), 'Default: the type for the extension of `key`.'),
  expiresAt: maybe(
    timestamp,
    'When it will be deleted, at most 90 days from now, with a precision of a minute.',
  ),
  publicContentImmediatelyAccessible: maybe(
    v.boolean(),
    'Has no effect here: a public file is readable as soon as its bytes are stored. `uploadFile` ' +
      'sends it to the upload address, because other servers need it.',
  ),
});

const changes = describedObject('The input of `updateFileMetadata`. Omitted fields do not change.', {
  index: maybe(v.boolean(), 'Indexes the file, or removes its index. Its bytes stay.'),
  tags: maybe(changedTags, 'Merged into the existing tags; null removes one.'),
  metadata: maybe(schemas.data, 'Merged at the first level; null removes a key.'),
  accessPolicies: maybe(policies, 'Replaces the existing policies.'),
  expiresAt: maybe(v.nullable(timestamp), 'null: it does not expire.'),
});

const passageMeta = v.object({
  type: v.picklist(['chunk', 'summary', 'consolidated', 'image']),
  subtype: maybe(subtype),
  pageNumber: maybe(v.number(), 'From 1.'),
  position: maybe(v.number(), 'Its index among the passages of the file, from 0.'),
  sourceUrl: maybe(v.string()),
});

const passage = describedObject("A part of a file's text.", {
  id: v.string(),
  content: v.string(),
  meta: passageMeta,
});

const newPassage = describedObject('The input of `setFilePassages` for each passage.', {
  content: v.pipe(schemas.id, v.maxLength(limits.passageText)),
  subtype: maybe(subtype),
  type: maybe(subtype, 'The same, as the client of the hosted product names it.'),
  pageNumber: maybe(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000))),
});

const context = describedObject('A passage that was found, text around it, or a title above it.', {
  id: maybe(v.string()),
  text: v.string(),
  offset: maybe(
    v.number(),
    'Distance in passages; negative: before. 0 for the passage itself, omitted for a title.',
  ),
  type: v.picklist(['breadcrumb', 'preceding', 'current', 'subsequent']),
});

const { id, key, contentType, metadata, createdAt, updatedAt } = platformFile.entries;
const foundPassage = describedObject('A passage that was found.', {
  content: v.string(),
  score: described(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), '0 to 1; higher is better.'),
  meta: passageMeta,
  file: v.object({ id, key, contentType, metadata, tags, createdAt, updatedAt }),
  context: maybe(v.array(context)),
});

const count = describedObject('The number of files, and their bytes.', {
  count: v.number(),
  bytes: v.number(),
});

const knowledgeBase = describedObject(
  'A named group of files: those whose tag `kbId` is its id. The files must be indexed.',
  {
    id: v.string(),
    name: v.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    tags,
  },
);

const name = v.pipe(schemas.id, v.maxLength(limits.knowledgeBaseName));

const storage = describedObject(
  'The storage that the files of a bot use. `vectorDb`: the indexed files, and the bytes of their text.',
  { files: count, vectorDb: count },
);

const semanticSearch = describedObject(
  'Whether searches find passages by their meaning. `indexing`: of some files by words only so far. ' +
    '`failing`: by words only, because the model does not answer; `reason` says why. `unavailable`: ' +
    'the packages of the embedded model are not installed. `off`: by the settings of the server.',
  {
    status: v.picklist(['ready', 'indexing', 'failing', 'unavailable', 'off']),
    model: maybe(v.string(), 'The model that computes the vectors.'),
    reason: maybe(v.string()),
  },
);

export const fileSchemas = {
  fields,
  changes,
  platformFile,
  announcedFile,
  passage,
  newPassages: v.object({ passages: boundedArray(newPassage, limits.newPassages) }),
  foundPassage,
  storage,
  semanticSearch,
  knowledgeBase,
  newKnowledgeBase: v.object({ name, tags: maybe(givenTags) }),
  knowledgeBaseChanges: v.object({ name: maybe(name), tags: maybe(changedTags) }),
};

export const types = {
  FileSortField: fileSortField,
  PlatformFileStatus: status,
  AccessPolicy: policy,
  FileOwner: owner,
  PlatformFile: platformFile,
  AnnouncedFile: announcedFile,
  PlatformFileFields: fields,
  PlatformFileChanges: changes,
  PassageSubtype: subtype,
  PassageMeta: passageMeta,
  FilePassage: passage,
  NewPassage: newPassage,
  PassageContext: context,
  FoundPassage: foundPassage,
  StorageCount: count,
  FileStorage: storage,
  SemanticSearch: semanticSearch,
  KnowledgeBase: knowledgeBase,
};
