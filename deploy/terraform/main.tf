resource "restapi_object" "channel" {
  for_each = var.channels
  path     = "/api/channel"

  data = jsonencode({
    name     = each.key
    type     = each.value.type
    key      = var.channel_keys[each.key]
    models   = join(",", each.value.models)
    group    = join(",", each.value.groups)
    base_url = each.value.base_url
    priority = each.value.priority
  })

  # Keys are write-only.
  ignore_changes_to       = ["key"]
  ignore_server_additions = true
}

resource "restapi_object" "token" {
  for_each = var.tokens
  path     = "/api/token"

  data = jsonencode({
    name            = each.key
    models          = join(",", each.value.models)
    unlimited_quota = each.value.unlimited_quota
    remain_quota    = each.value.quota
  })

  # Falls with every request.
  ignore_changes_to       = ["remain_quota"]
  ignore_server_additions = true
}

# Options always exist: creating one sets it, destroying it leaves the value.
resource "restapi_object" "option" {
  for_each = var.options
  path     = "/api/option"

  id_attribute   = "key"
  create_method  = "PUT"
  update_path    = "/api/option"
  destroy_method = "GET"
  destroy_path   = "/api/option"

  read_search = {
    search_key   = "key"
    search_value = "{id}"
  }

  data = jsonencode({
    key   = each.key
    value = each.value
  })

  ignore_server_additions = true
}
