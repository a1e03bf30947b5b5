// The operations of the server that this page uses, by the names they have in its contract.

import { call } from './api.js';

// A user in a path: an id, `@name`, or `me`.
const at = (user) => `/v1/users/${user}`;
const get = (path, query, signal) => call('GET', path, { query, signal });
const put = (path) => call('PUT', path, { repeat: true });
const remove = (path) => call('DELETE', path, { repeat: true });

// ---- accounts
export const signUp = (account) => call('POST', '/v1/users', { body: account, anonymous: true });
export const logIn = (credentials) =>
  call('POST', '/v1/sessions', { body: credentials, anonymous: true, impatient: true });
export const logOut = () => call('DELETE', '/v1/sessions/current', { impatient: true });
export const getMe = (signal) => get('/v1/users/me', {}, signal);
export const editMe = (patch) => call('PATCH', '/v1/users/me', { body: patch, repeat: true });
export const removeMe = (confirmation) => call('DELETE', '/v1/users/me', { body: confirmation });
export const listSessions = (query, signal) => get('/v1/sessions', query, signal);
export const revokeSession = (session) => remove(`/v1/sessions/${session.sessionId}`);
export const revokeOtherSessions = () => remove('/v1/sessions');

// ---- users and relations
export const getUser = (user, signal) => get(at(user), {}, signal);
export const listUsers = (query, signal) => get('/v1/users', query, signal);
export const listUserPosts = (user, query, signal) => get(`${at(user)}/posts`, query, signal);
export const listFollowing = (user, query, signal) => get(`${at(user)}/following`, query, signal);
export const listFollowers = (user, query, signal) => get(`${at(user)}/followers`, query, signal);
export const listSuggestions = (query, signal) => get('/v1/users/me/suggestions', query, signal);
export const listBlocked = (query, signal) => get('/v1/users/me/blocks', query, signal);
export const listMuted = (query, signal) => get('/v1/users/me/mutes', query, signal);
export const batchGetRelationships = (userIds) =>
  call('POST', '/v1/relationships/batch-get', { body: { userIds }, repeat: true });
export const follow = (user, showingReposts) =>
  call('POST', `${at(user)}/follow`, { body: { action: 'follow', showingReposts }, repeat: true });
export const unfollow = (user) => remove(`${at(user)}/follow`);
export const block = (user) => put(`${at(user)}/block`);
export const unblock = (user) => remove(`${at(user)}/block`);
export const mute = (user) => put(`${at(user)}/mute`);
export const unmute = (user) => remove(`${at(user)}/mute`);

// ---- posts
export const createPost = (post, key) =>
  call('POST', '/v1/posts', { body: post, headers: { 'Idempotency-Key': key }, repeat: true });
export const getPost = (postId, signal) => get(`/v1/posts/${postId}`, {}, signal);
export const getDelivery = (postId, signal) => get(`/v1/posts/${postId}/delivery`, {}, signal);
export const removePost = (postId) => call('DELETE', `/v1/posts/${postId}`);
export const repost = (postId) => call('POST', `/v1/posts/${postId}/repost`, { repeat: true });
export const unrepost = (postId) => remove(`/v1/posts/${postId}/repost`);
export const like = (postId, likeType) =>
  call('POST', `/v1/posts/${postId}/like`, { body: { likeType }, repeat: true });
export const unlike = (postId) => remove(`/v1/posts/${postId}/like`);
export const listLikes = (postId, query, signal) => get(`/v1/posts/${postId}/likes`, query, signal);

// ---- comments
export const createComment = (postId, comment, key) =>
  call('POST', `/v1/posts/${postId}/comments`, { body: comment, headers: { 'Idempotency-Key': key }, repeat: true });
export const listComments = (postId, query, signal) => get(`/v1/posts/${postId}/comments`, query, signal);
export const getComment = (commentId, signal) => get(`/v1/comments/${commentId}`, {}, signal);
export const removeComment = (commentId) => call('DELETE', `/v1/comments/${commentId}`);
export const likeComment = (commentId) => call('POST', `/v1/comments/${commentId}/like`, { repeat: true });
export const unlikeComment = (commentId) => remove(`/v1/comments/${commentId}/like`);

// ---- feed
export const getFeed = (query, signal) => get('/v1/feed', query, signal);
export const refreshFeed = (lastSeen, signal) =>
  call('POST', '/v1/feed/refresh', { body: { lastSeen, limit: 1 }, repeat: true, signal });
export const listNotifications = (query, signal) => get('/v1/notifications', query, signal);
export const readNotifications = (upTo) =>
  call('POST', '/v1/notifications/read', { body: { upTo }, repeat: true });
export const listTrends = (query, signal) => get('/v1/trends', query, signal);
export const listTaggedPosts = (tag, query, signal) => get(`/v1/tags/${encodeURIComponent(tag)}/posts`, query, signal);

// ---- media and service
export const uploadMedia = (file, signal) => call('POST', '/v1/media', { body: file, repeat: true, signal });
export const getEngine = (signal) => call('GET', '/v1/engine', { signal, impatient: true });
export const getMetrics = (signal) => call('GET', '/metrics', { signal, impatient: true });
