from __future__ import annotations

from django.contrib.auth.views import LogoutView, PasswordChangeView
from django.urls import path, reverse_lazy

from accounts import views

app_name = "accounts"

urlpatterns = [
    path("login/", views.Login.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("forgotten/", views.forgotten, name="forgotten"),
    path("invitation/<uidb64>/<token>/", views.Invitation.as_view(), name="invitation"),
    path("account/", views.account, name="account"),
    path(
        "account/password/",
        PasswordChangeView.as_view(
            template_name="accounts/password.html", success_url=reverse_lazy("accounts:account")
        ),
        name="password",
    ),
    path("account/keys/<int:pk>/drop/", views.drop_token, name="drop_token"),
    path("people/", views.people, name="people"),
    path("people/new/", views.person, name="new_person"),
    path("people/invite/", views.invite_many, name="invite_many"),
    path("people/import/", views.people_file, name="people_file"),
    path("people/<int:pk>/", views.person, name="person"),
    path("people/<int:pk>/invite/", views.invite, name="invite"),
    path("people/<int:pk>/activity/", views.activity, name="activity"),
]
